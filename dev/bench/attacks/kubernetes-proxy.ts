import { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent, request } from "node:https";
import { type ControlPlane, type HttpServer, serve } from "@weir/testing";

/** Replaces the response of the API server. */
export type KubernetesAnswer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Forwards requests to an API server, as its administrator, until it's told to do something else. It listens on plain
 * HTTP, over which clients send no credentials.
 */
export class KubernetesProxy implements AsyncDisposable {
  #front: HttpServer | undefined;
  readonly #agent: Agent;
  readonly #plane: Pick<ControlPlane, "url" | "token">;
  #connections = 0;
  #resets = false;
  #misbehave: KubernetesAnswer | undefined;

  private constructor(plane: Pick<ControlPlane, "url" | "token">, agent: Agent) {
    this.#plane = plane;
    this.#agent = agent;
  }

  static async start(plane: Pick<ControlPlane, "url" | "token" | "ca">): Promise<KubernetesProxy> {
    const agent = new Agent({ keepAlive: true, ca: plane.ca });
    const proxy = new KubernetesProxy(plane, agent);
    proxy.#front = await serve((incoming, outgoing) => proxy.#pass(incoming, outgoing));
    proxy.#countConnections(proxy.#front.server);
    return proxy;
  }

  get url(): string {
    return this.#front?.url ?? "";
  }

  /** Answers all requests with this function, and ends running watches. */
  misbehave(answer: KubernetesAnswer): void {
    this.#misbehave = answer;
    this.#front?.server.closeAllConnections();
  }

  /** Resets each connection immediately, until `behave` is called. */
  reset(): void {
    this.#connections = 0;
    this.#resets = true;
    this.#front?.server.closeAllConnections();
  }

  /** Forwards requests again; returns the number of connections since `reset`. */
  behave(): number {
    this.#resets = false;
    this.#misbehave = undefined;
    this.#front?.server.closeAllConnections();
    return this.#connections;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#front?.[Symbol.asyncDispose]();
    this.#agent.destroy();
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#misbehave !== undefined) {
      this.#misbehave(incoming, outgoing);
      return;
    }
    const { method, url } = incoming;
    const headers = { ...incoming.headers, authorization: `Bearer ${this.#plane.token}` };
    const ahead = request(
      `${this.#plane.url}${url ?? ""}`,
      { method, headers, agent: this.#agent },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        outgoing.flushHeaders();
      },
    );
    ahead.on("error", () => outgoing.destroy());
    outgoing.on("close", () => ahead.destroy());
    incoming.pipe(ahead);
  }

  #countConnections(server: Server): void {
    server.on("connection", (socket) => {
      this.#connections += 1;
      if (this.#resets) {
        socket.resetAndDestroy();
      }
    });
  }
}
