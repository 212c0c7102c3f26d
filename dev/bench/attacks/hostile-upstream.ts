import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import { type HttpServer, serve, until } from "@weir/testing";
import { frame, opcodes } from "../../../test/support/raw-websocket.ts";
import { type StreamEnd, writeEndlessly } from "./endless.ts";

const handshakeKey = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A console that daemons connect to. Accepts their events until it's told to do something else. */
export class HostileUpstream implements AsyncDisposable {
  #server: HttpServer | undefined;
  readonly #sockets = new Set<Duplex>();
  #flood: ((end: StreamEnd) => void) | undefined;

  static async start(): Promise<HostileUpstream> {
    const upstream = new HostileUpstream();
    const server = await serve((_incoming, outgoing) => {
      const told = upstream.#takeFlood();
      if (told === undefined) {
        outgoing.writeHead(200).end();
      } else {
        outgoing.writeHead(200, { "Content-Type": "application/json" });
        void writeEndlessly(outgoing, Buffer.alloc(65_536, "x"), 20).then(told);
      }
    });
    server.server.on("upgrade", (request, socket: Duplex) => {
      upstream.#accept(String(request.headers["sec-websocket-key"]), socket);
    });
    upstream.#server = server;
    return upstream;
  }

  /** The URL for --connect. */
  get url(): string {
    return this.#server?.url ?? "";
  }

  /** Answers the next event with endless text; resolves to the outcome. */
  floodNextEvent(): Promise<StreamEnd> {
    return new Promise((resolve) => {
      this.#flood = resolve;
    });
  }

  /**
   * Sends one message in frames of one byte; resolves to how many were sent when the daemon closed, if it
   * did.
   */
  async sendTinyFrames(count: number): Promise<number | undefined> {
    const socket = await until("a connection of the daemon", () => [...this.#sockets].at(-1));
    const rest = Buffer.concat(
      Array.from({ length: 1000 }, () => frame(opcodes.more, Buffer.from(" "), false)),
    );
    socket.write(frame(opcodes.binary, Buffer.from(" "), false));
    const closed = new Promise<"closed">((resolve) => socket.once("close", () => resolve("closed")));
    for (let sent = 0; sent < count; sent += 1000) {
      if (socket.destroyed) {
        return sent;
      }
      if (!socket.write(rest)) {
        await new Promise((resolve) => {
          socket.once("drain", resolve);
          socket.once("close", resolve);
        });
      }
    }
    const patience = new Promise<"open">((resolve) => setTimeout(() => resolve("open"), 10_000).unref());
    const end = await Promise.race([closed, patience]);
    socket.destroy();
    return end === "closed" ? count : undefined;
  }

  #takeFlood(): ((end: StreamEnd) => void) | undefined {
    const flood = this.#flood;
    this.#flood = undefined;
    return flood;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await this.#server?.[Symbol.asyncDispose]();
  }

  #accept(key: string, socket: Duplex): void {
    const accept = createHash("sha1").update(`${key}${handshakeKey}`).digest("base64");
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => this.#sockets.delete(socket));
    socket.resume();
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    this.#sockets.add(socket);
  }
}
