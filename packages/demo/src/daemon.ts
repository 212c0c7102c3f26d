import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePortFrom } from "./free-port.ts";

const run = promisify(execFile);

/** How long fluxd may take to stop, in milliseconds. */
const mostStopMs = 15_000;

/** What to start. */
export interface DemoDaemonOptions {
  /** The folder with fluxd and fluxctl. */
  readonly programs: string;
  readonly gitUrl: string;
  /** For the files of the cluster, and temporary ones. */
  readonly folder: string;
  /** They come before the demo's own flags. */
  readonly flags: readonly string[];
  /** Where the search for a free port begins; 3030 if absent. */
  readonly firstPort?: number;
}

/** The demo's fluxd, with the cluster inside it. */
export class DemoDaemon {
  /** The program. */
  readonly fluxctl: string;
  readonly kubeconfig: string;
  readonly port: number;
  readonly #child: ChildProcess;
  #log = "";
  #ended = false;

  private constructor(child: ChildProcess, port: number, { programs, folder }: DemoDaemonOptions) {
    this.fluxctl = join(programs, "fluxctl");
    this.#child = child;
    this.port = port;
    this.kubeconfig = join(clusterFolderIn(folder), "kubeconfig");
    const keep = (chunk: Buffer): void => {
      this.#log += chunk.toString();
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    // A process that ends at once can't wait for fluxd.
    const kill = (): void => void child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => {
      this.#ended = true;
      process.off("exit", kill);
    });
  }

  static async start(options: DemoDaemonOptions): Promise<DemoDaemon> {
    const { programs, gitUrl, folder, flags, firstPort = 3030 } = options;
    const port = await freePortFrom(firstPort);
    const args = [
      ...flags,
      `--embedded-cluster=${clusterFolderIn(folder)}`,
      `--git-url=${gitUrl}`,
      "--git-branch=main",
      "--git-poll-interval=1s",
      "--sync-garbage-collection",
      "--sync-on-drift",
      `--listen=127.0.0.1:${port}`,
    ];
    const temp = join(folder, "tmp");
    mkdirSync(temp, { recursive: true });
    const env = { ...process.env, CHECKPOINT_DISABLE: "1", TMPDIR: temp };
    // Ctrl-C in the terminal is for this process, which then stops fluxd.
    const child = spawn(join(programs, "fluxd"), args, {
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    return new DemoDaemon(child, port, options);
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
      const tail = this.#log.trimEnd().split("\n").slice(-5).join("\n");
      throw new Error(`fluxd exited unexpectedly; its last words:\n${tail}`);
    }
  }

  /** The output of a fluxctl command. */
  async ask(...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await run(this.fluxctl, args, { env: { ...process.env, FLUX_URL: this.url } });
    return stdout + stderr;
  }

  /** Stops fluxd like an operator, and after a while by force; resolves to its exit code. */
  stop(): Promise<number | null> {
    if (this.#ended) {
      return Promise.resolve(this.#child.exitCode);
    }
    return new Promise((resolve) => {
      const force = setTimeout(() => this.#child.kill("SIGKILL"), mostStopMs);
      this.#child.once("exit", (code) => {
        clearTimeout(force);
        resolve(code);
      });
      this.#child.kill("SIGTERM");
    });
  }
}

function clusterFolderIn(folder: string): string {
  return join(folder, "cluster");
}
