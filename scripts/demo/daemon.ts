import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const dist = join(import.meta.dirname, "..", "..", "dist");

/** The demo's fluxd, with the cluster inside it. */
export class DemoDaemon {
  readonly fluxctl = join(dist, "fluxctl");
  readonly kubeconfig: string;
  readonly port: number;
  readonly #child: ChildProcess;
  #log = "";
  #ended = false;

  private constructor(child: ChildProcess, port: number, clusterFolder: string) {
    this.#child = child;
    this.port = port;
    this.kubeconfig = join(clusterFolder, "kubeconfig");
    const keep = (chunk: Buffer): void => {
      this.#log += chunk.toString();
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.once("exit", () => {
      this.#ended = true;
    });
  }

  /** `flags` go before those of the demo. */
  static async start(gitUrl: string, folder: string, flags: readonly string[] = []): Promise<DemoDaemon> {
    const port = await portFrom(3030);
    const clusterFolder = join(folder, "cluster");
    const args = [
      ...flags,
      `--embedded-cluster=${clusterFolder}`,
      `--git-url=${gitUrl}`,
      "--git-branch=main",
      "--git-poll-interval=1s",
      "--sync-garbage-collection",
      "--sync-on-drift",
      "--registry-disable-scanning",
      `--listen=127.0.0.1:${port}`,
    ];
    const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
    const child = spawn(join(dist, "fluxd"), args, { env, stdio: ["ignore", "pipe", "pipe"] });
    return new DemoDaemon(child, port, clusterFolder);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/api/flux`;
  }

  /** True where the kubeconfig of the cluster is written. Throws where fluxd has ended. */
  hasCluster(): boolean {
    this.assertRunning();
    return existsSync(this.kubeconfig) && readFileSync(this.kubeconfig, "utf8") !== "";
  }

  /** Throws where fluxd has ended. */
  assertRunning(): void {
    if (this.#ended) {
      throw new Error("fluxd ended by itself");
    }
  }

  /** The end of what fluxd logged. */
  get logTail(): string {
    return this.#log.split("\n").slice(-20).join("\n");
  }

  /** What a fluxctl command prints. */
  async ask(...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await run(this.fluxctl, args, { env: { ...process.env, FLUX_URL: this.url } });
    return stdout + stderr;
  }

  /** Ends fluxd as an operator would; resolves to its exit code. */
  stop(): Promise<number | null> {
    if (this.#ended) {
      return Promise.resolve(this.#child.exitCode);
    }
    return new Promise((resolve) => {
      this.#child.once("exit", (code) => {
        resolve(code);
      });
      this.#child.kill("SIGTERM");
    });
  }
}

/** That port, or the next one of the loopback interface that is free. */
function portFrom(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", () => {
      if (port > 3130) {
        reject(new Error("no port between 3030 and 3130 is free on 127.0.0.1"));
      } else {
        portFrom(port + 1).then(resolve, reject);
      }
    });
    server.listen(port, "127.0.0.1", () => {
      server.close(() => {
        resolve(port);
      });
    });
  });
}
