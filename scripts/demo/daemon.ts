import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePortFrom } from "./free-port.ts";

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

  /** `flags` come before the demo's own flags. */
  static async start(gitUrl: string, folder: string, flags: readonly string[] = []): Promise<DemoDaemon> {
    const port = await freePortFrom(3030);
    const clusterFolder = join(folder, "cluster");
    const args = [
      ...flags,
      `--embedded-cluster=${clusterFolder}`,
      `--git-url=${gitUrl}`,
      "--git-branch=main",
      "--git-poll-interval=1s",
      "--sync-garbage-collection",
      "--sync-on-drift",
      `--listen=127.0.0.1:${port}`,
    ];
    const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
    const child = spawn(join(dist, "fluxd"), args, { env, stdio: ["ignore", "pipe", "pipe"] });
    return new DemoDaemon(child, port, clusterFolder);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/api/flux`;
  }

  /** Notifies fluxd of a new image, like a registry's webhook. */
  async noticeImage(domain: string, image: string): Promise<void> {
    const body = JSON.stringify({ Kind: "image", Source: { Name: { Domain: domain, Image: image } } });
    await fetch(`${this.url}/v11/notify`, { method: "POST", body });
  }

  /** True if the kubeconfig of the cluster exists. Throws if fluxd has exited. */
  hasCluster(): boolean {
    this.assertRunning();
    return existsSync(this.kubeconfig) && readFileSync(this.kubeconfig, "utf8") !== "";
  }

  /** Throws if fluxd has exited. */
  assertRunning(): void {
    if (this.#ended) {
      throw new Error("fluxd exited unexpectedly");
    }
  }

  /** The end of fluxd's log. */
  get logTail(): string {
    return this.#log.split("\n").slice(-20).join("\n");
  }

  /** The output of a fluxctl command. */
  async ask(...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await run(this.fluxctl, args, { env: { ...process.env, FLUX_URL: this.url } });
    return stdout + stderr;
  }

  /** Stops fluxd like an operator; resolves to its exit code. */
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
