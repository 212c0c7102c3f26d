import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { type WebSocket, WebSocketServer } from "ws";
import { type Exchange, fill, inLines, isUnderWay, type Known } from "./page.ts";
import type { RpcExample } from "./rpc-examples.ts";

/** An upstream that a daemon connects to, and that calls the daemon. */
export class RpcAsker implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #connected = Promise.withResolvers<WebSocket>();
  readonly #events: string[] = [];

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#sockets = new WebSocketServer({ server });
    this.url = `ws://127.0.0.1:${port}`;
    this.#sockets.once("connection", (socket) => this.#connected.resolve(socket));
    server.on("request", (request, response) => {
      void this.#keep(request).then(() => response.writeHead(200).end());
    });
  }

  static async listen(): Promise<RpcAsker> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return new RpcAsker(server, typeof address === "object" && address !== null ? address.port : 0);
  }

  /** The first event that the daemon posted. */
  event(): Exchange {
    const request = "POST /v6/events";
    const description = "An event that the daemon posts: here, its first sync.";
    return { title: request, description, request, answer: inLines(this.#events[0] ?? "") };
  }

  async connected(): Promise<void> {
    await this.#connected.promise;
  }

  async askAll(examples: readonly RpcExample[], known: Known): Promise<readonly Exchange[]> {
    const socket = await this.#connected.promise;
    let job = "";
    const exchanges: Exchange[] = [];
    for (const [id, { method, description, argument }] of examples.entries()) {
      const params = [JSON.parse(fill(JSON.stringify(argument), { ...known, job })) as unknown];
      const request = JSON.stringify({ method: `RPCServer.${method}`, params, id });
      let answer = await ask(socket, request);
      while (isUnderWay(answer)) {
        answer = await ask(socket, request);
      }
      exchanges.push({ title: method, description, request, answer: inLines(answer) });
      job = method === "UpdateManifests" ? (/"Result":"([^"]+)"/.exec(answer)?.[1] ?? "") : job;
    }
    return exchanges;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#sockets.clients) {
      client.terminate();
    }
    this.#server.close();
    await once(this.#server, "close");
  }

  async #keep(request: IncomingMessage): Promise<void> {
    this.#events.push(await text(request));
  }
}

/** One call at a time, so that the next message is its response. */
async function ask(socket: WebSocket, request: string): Promise<string> {
  const answered = once(socket, "message") as Promise<[Buffer]>;
  socket.send(Buffer.from(request));
  const [data] = await answered;
  return data.toString().trimEnd();
}
