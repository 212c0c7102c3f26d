import { connect, createServer, type Server, type Socket } from "node:net";

/** A relay between a client and a server, with which a test can observe and break connections. */
export class Relay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;
  #frozen = false;

  /** Forwards to a loopback port. */
  constructor(port: number) {
    this.#server = createServer((near) => {
      this.#connections += 1;
      this.#pair(near, connect(port, "127.0.0.1"));
    });
  }

  /** Listens on a port, by default a free one; resolves to it. */
  async listen(port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** The number of connections so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of this.#sockets) {
      socket.resetAndDestroy();
    }
  }

  /** From now on, silently drops everything in both directions, like a firewall that lost its state. */
  freeze(): void {
    this.#frozen = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pair(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (data) => this.#frozen || to.write(data));
      from.on("error", () => undefined);
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
