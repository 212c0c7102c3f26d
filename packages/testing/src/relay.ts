import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between a client and a server, where a test can see the connections and harm them. */
export class Relay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;
  #frozen = false;

  /** Leads to a port of the loopback. */
  constructor(port: number) {
    this.#server = createServer((near) => {
      this.#connections += 1;
      this.#pair(near, connect(port, "127.0.0.1"));
    });
  }

  /** Starts to listen on a free port; resolves to it. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** How many connections were made so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of this.#sockets) {
      socket.resetAndDestroy();
    }
  }

  /** Lets nothing through from now on, in either direction, and tells nobody: as a firewall that forgot. */
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
