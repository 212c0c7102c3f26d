import { connect, createServer, type Server, type Socket } from "node:net";

/** A load balancer before several consoles: each connection goes to the next one that takes it. */
export class Balancer implements AsyncDisposable {
  readonly #ports: readonly number[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next = 0;

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#server = createServer((near) => this.#pass(near, this.#ports.length));
  }

  /** Forwards to these loopback ports, which needn't be open yet. */
  static async start(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports);
    await new Promise<void>((resolve) => balancer.#server.listen(0, "127.0.0.1", resolve));
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(near: Socket, tries: number): void {
    this.#next += 1;
    const far = connect(this.#ports[this.#next % this.#ports.length] ?? 0, "127.0.0.1");
    far.once("error", () => {
      if (tries > 1 && far.bytesWritten === 0) {
        this.#pass(near, tries - 1);
      } else {
        near.destroy();
      }
    });
    far.once("connect", () => {
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.on("error", () => undefined);
        from.on("close", () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
  }
}
