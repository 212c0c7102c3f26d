import { execFile } from "node:child_process";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "@weir/base/node";
import { freePort, type ProgramEnd, StartedProgram } from "@weir/testing";
import { programs } from "./programs.ts";
import type { TestRepository } from "./repository.ts";

/** A fluxd to start. */
export interface FluxdOptions {
  readonly gitUrl: string;
  /** Undefined with --embedded-cluster among the flags. */
  readonly kubeconfigPath?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The built fluxd, running; stopped and cleaned up after when it is disposed. */
export class Fluxd implements AsyncDisposable {
  readonly apiUrl: string;
  readonly baseUrl: string;
  /** HOME and TMPDIR of this fluxd. */
  readonly folder: string;
  readonly #program: StartedProgram;

  private constructor(program: StartedProgram, port: number, folder: string) {
    this.#program = program;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.apiUrl = `${this.baseUrl}/api/flux`;
    this.folder = folder;
  }

  /** Starts it with long intervals, so that it acts when it is told to. */
  static async start({ gitUrl, kubeconfigPath, flags = [], env = {} }: FluxdOptions): Promise<Fluxd> {
    const folder = await mkdtemp(join(tmpdir(), "weir-fluxd-"));
    await mkdir(join(folder, "tmp"));
    const port = await freePort();
    const args = [
      `--git-url=${gitUrl}`,
      "--git-poll-interval=1h",
      "--sync-interval=1h",
      "--automation-interval=1h",
      "--registry-disable-scanning",
      `--listen=127.0.0.1:${port}`,
      ...(kubeconfigPath === undefined ? [] : [`--kube-config=${kubeconfigPath}`]),
      ...flags,
    ];
    const program = new StartedProgram(join(programs, "fluxd"), args, {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        TMPDIR: join(folder, "tmp"),
        CHECKPOINT_DISABLE: "1",
        ...env,
      },
    });
    return new Fluxd(program, port, folder);
  }

  /** Of the process. */
  get pid(): number {
    return this.#program.pid ?? 0;
  }

  /** All that it has said so far. */
  get log(): string {
    return this.#program.output;
  }

  /** What of it went to standard output. */
  get stdout(): string {
    return this.#program.stdout;
  }

  /** Resolves to how it ended, once it has. */
  get exited(): Promise<ProgramEnd> {
    return this.#program.ended();
  }

  /** Resolves when the log holds `text`. */
  async logged(text: string | RegExp): Promise<void> {
    await this.#program.until(`the log line ${String(text)}`, () =>
      typeof text === "string" ? this.log.includes(text) : text.test(this.log),
    );
  }

  /** Resolves when the API answers. */
  async ready(): Promise<void> {
    await this.#program.until("the API", async () => (await fetch(`${this.apiUrl}/v11/version`)).ok);
  }

  /** Resolves when it has synced a commit of a repository for the first time; rejects at once if it ends before. */
  async synced(repository: TestRepository): Promise<void> {
    await this.#program.until("the first sync", async () => (await repository.synced()) !== "");
  }

  /** Tells it that something was pushed, as a git hook does. */
  async notify(gitUrl: string, branch = "master"): Promise<void> {
    const body = JSON.stringify({ Kind: "git", Source: { URL: gitUrl, Branch: branch } });
    await fetch(`${this.apiUrl}/v11/notify`, { method: "POST", body });
  }

  /** Tells it that there is something new of an image, as a registry's hook does. */
  async notifyImage(domain: string, image: string): Promise<void> {
    const body = JSON.stringify({ Kind: "image", Source: { Name: { Domain: domain, Image: image } } });
    const answer = await fetch(`${this.apiUrl}/v11/notify`, { method: "POST", body });
    if (!answer.ok) {
      throw new Error(`the notice is refused: ${answer.status} ${await answer.text()}`);
    }
  }

  /** Sends a signal and resolves when it has ended. */
  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<ProgramEnd> {
    return this.#program.end(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await removeFolder(this.folder);
  }
}

/** What a command printed and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built fluxctl against a fluxd. */
export function fluxctl(
  fluxd: Pick<Fluxd, "apiUrl" | "folder">,
  ...args: readonly string[]
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], HOME: fluxd.folder, FLUX_URL: fluxd.apiUrl };
    execFile(join(programs, "fluxctl"), args, { env, cwd: fluxd.folder }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
}
