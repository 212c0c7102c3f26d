import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { dialOf, keepIdleConnections, TempFolder, until } from "@weir/testing";
import { Agent, request } from "undici";

/** Stands between a client and an API server, and lets no write of one resource through before it is opened. */
export class WriteGate implements AsyncDisposable {
  readonly #url: string;
  readonly #token: string;
  readonly #resource: string;
  readonly #server: Server;
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false } });
  readonly #folder = new TempFolder();
  readonly #opened = Promise.withResolvers<undefined>();
  #held = 0;

  private constructor({ url, token }: { readonly url: string; readonly token: string }, resource: string) {
    this.#url = url;
    this.#token = token;
    this.#resource = resource;
    this.#server = createServer((incoming, answer) => {
      // A client that goes away in the middle is the client's affair.
      this.#forward(incoming, answer).catch(() => answer.destroy());
    });
    keepIdleConnections(this.#server);
  }

  /** `resource` is the plural name in paths. */
  static async before(kubeconfigPath: string, resource: string): Promise<WriteGate> {
    const gate = new WriteGate(await dialOf(kubeconfigPath), resource);
    await new Promise<void>((resolve) => gate.#server.listen(0, "127.0.0.1", resolve));
    return gate;
  }

  /** The path of a kubeconfig that leads to the gate. */
  get kubeconfigPath(): string {
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const kubeconfig = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "gate",
      contexts: [{ name: "gate", context: { cluster: "gate", user: "gate" } }],
      clusters: [{ name: "gate", cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: "gate", user: { token: this.#token } }],
    };
    return this.#folder.write("kubeconfig", JSON.stringify(kubeconfig));
  }

  /** Resolves when a write waits. */
  async holds(): Promise<void> {
    await until("a write to be held", () => this.#held > 0);
  }

  /** Lets everything through from now on. */
  open(): void {
    this.#opened.resolve(undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.open();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#agent.destroy();
    this.#folder[Symbol.dispose]();
  }

  async #forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = incoming;
    const body = await buffer(incoming);
    if (method !== "GET" && url.split(/[/?]/).includes(this.#resource)) {
      this.#held += 1;
      await this.#opened.promise;
    }
    const {
      statusCode,
      headers: answered,
      body: stream,
    } = await request(this.#url + url, {
      method: method as "GET",
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: headers.accept ?? "*/*",
        ...(headers["content-type"] === undefined ? {} : { "content-type": headers["content-type"] }),
      },
      ...(body.length === 0 ? {} : { body }),
    });
    answer.writeHead(statusCode, { "content-type": String(answered["content-type"] ?? "") });
    answer.flushHeaders();
    await pipeline(stream, answer);
  }
}
