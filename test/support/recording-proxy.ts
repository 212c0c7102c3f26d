import { pipeline } from "node:stream/promises";
import { type HttpServer, serve } from "@weir/testing";
import { Agent, request } from "undici";

/** A request that was forwarded. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly body: string;
}

/** Forwards requests from a client to an API server, and records them. The client can use plain HTTP. */
export class RecordingProxy implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false }, bodyTimeout: 0 });
  #server: HttpServer | undefined;

  /** Forwards to a server; requests without credentials get the token. */
  static async start({
    url,
    token,
  }: {
    readonly url: string;
    readonly token: string;
  }): Promise<RecordingProxy> {
    const proxy = new RecordingProxy();
    proxy.#server = await serve((incoming, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) {
          chunks.push(chunk as Buffer);
        }
        const body = Buffer.concat(chunks);
        const { pathname, searchParams } = new URL(incoming.url ?? "/", url);
        const { accept = "", "content-type": type = "" } = incoming.headers;
        const method = incoming.method ?? "GET";
        proxy.requests.push({ method, path: pathname, query: searchParams, accept, body: body.toString() });
        const answer = await request(new URL(incoming.url ?? "/", url), {
          method: method as "GET",
          dispatcher: proxy.#agent,
          headers: {
            accept,
            ...(type === "" ? {} : { "content-type": type }),
            authorization: incoming.headers.authorization ?? `Bearer ${token}`,
          },
          ...(body.length === 0 ? {} : { body }),
        });
        const contentType = answer.headers["content-type"];
        response.writeHead(answer.statusCode, { "content-type": String(contentType) });
        response.flushHeaders();
        response.once("close", () => answer.body.destroy());
        await pipeline(answer.body, response);
      })().catch(() => response.destroy());
    });
    return proxy;
  }

  /** A kubeconfig for the proxy. */
  get kubeconfig(): string {
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "test",
      clusters: [{ name: "test", cluster: { server: this.#server?.url } }],
      users: [{ name: "admin", user: {} }],
      contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.#agent.destroy();
  }
}
