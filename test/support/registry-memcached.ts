import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { removeFolder } from "@weir/base/node";
import { findProgram, freePort, KeptProcess, until } from "@weir/testing";

/** A real memcached on a free port of the loopback. */
export class MemcachedServer implements AsyncDisposable {
  readonly host = "127.0.0.1";
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "weir-memcached-"));
  readonly #sizes: readonly string[];
  #process: KeptProcess | undefined;

  private constructor(port: number, sizes: readonly string[]) {
    this.port = port;
    this.#sizes = sizes;
  }

  /** For so much in all, and for items so large, in MiB; as small as usual where that is not said. */
  static async start({ megabytes = 64, itemMegabytes = 1 } = {}): Promise<MemcachedServer> {
    const port = await freePort();
    const server = new MemcachedServer(port, ["-m", String(megabytes), "-I", `${itemMegabytes}m`]);
    await server.start();
    return server;
  }

  /** Starts it again at the same port, with nothing in it. */
  async start(): Promise<void> {
    const args = [
      "-u",
      userInfo().username,
      "-l",
      this.host,
      "-p",
      String(this.port),
      "-U",
      "0",
      ...this.#sizes,
    ];
    const process = new KeptProcess(findProgram("memcached") ?? "memcached", args, join(this.#folder, "log"));
    this.#process = process;
    await until("memcached to answer", async () => {
      process.check();
      return (await this.ask("version\r\n")).startsWith("VERSION");
    });
  }

  /** Takes it away, with all that it holds. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  /** Sends a command as it is over a connection of its own; resolves to the first bytes of the answer. */
  ask(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, this.host, () => socket.write(command));
      socket.on("error", reject);
      socket.once("data", (data) => {
        socket.destroy();
        resolve(data.toString("latin1"));
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await removeFolder(this.#folder);
  }
}
