import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A port of this machine that leads to a Unix socket. */
export class Door implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(path: string) {
    this.#server = createServer((outside) => {
      const inside = connect(path);
      for (const [from, to] of [
        [outside, inside],
        [inside, outside],
      ] as const) {
        this.#sockets.add(from);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
  }

  /** Opens one on a free port. */
  static async open(path: string): Promise<Door> {
    const door = new Door(path);
    door.#server.listen(0, "127.0.0.1");
    await once(door.#server, "listening");
    return door;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#sockets.forEach((socket) => socket.destroy());
    await closed;
  }
}
