import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, systemClock } from "@weir/base";
import { removeFolder } from "@weir/base/node";
import type { ImageRegistry } from "@weir/flux";
import { freePort, until } from "@weir/testing";
import { compose } from "../../cmd/fluxd/compose.ts";
import { parseFluxdArgs } from "../../cmd/fluxd/config.ts";
import type { CommandResult } from "./fluxd.ts";
import { runOwnFluxctl } from "./own-fluxctl.ts";
import type { TestRepository } from "./repository.ts";

/** A fluxd to be run in the process of the test. */
export interface OwnFluxdOptions {
  readonly repository: TestRepository;
  readonly kubeconfigPath: string;
  readonly flags?: readonly string[];
  /** What it is to know of images. */
  readonly images: ImageRegistry;
}

/** A fluxd in the process of the test, composed as the program is but for what it knows of images. */
export class OwnFluxd implements AsyncDisposable {
  readonly apiUrl: string;
  /** The HOME of this fluxd, and of a fluxctl beside it. */
  readonly folder: string;
  readonly #stop = new AbortController();
  readonly #cleanup = new AsyncDisposableStack();
  #running: Promise<void> = Promise.resolve();
  #log = "";

  private constructor(port: number, folder: string) {
    this.apiUrl = `http://127.0.0.1:${port}/api/flux`;
    this.folder = folder;
  }

  /** Starts it with long intervals, so that it acts when it is told to; resolves after its first sync. */
  static async start(options: OwnFluxdOptions): Promise<OwnFluxd> {
    const port = await freePort();
    const fluxd = new OwnFluxd(port, await mkdtemp(join(tmpdir(), "weir-fluxd-")));
    try {
      await fluxd.#start(options, port);
      await until("the first sync", async () => (await options.repository.synced()) !== "");
      return fluxd;
    } catch (error) {
      await fluxd[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** All that it has said so far. */
  get log(): string {
    return this.#log;
  }

  /** What it said has happened, in order. */
  get events(): readonly string[] {
    return [...this.#log.matchAll(/ event="((?:[^"\\]|\\.)*)" logupstream=/g)].map(([, text = ""]) =>
      text.replaceAll('\\"', '"'),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the test is over"));
    await this.#running;
    await this.#cleanup.disposeAsync();
    await removeFolder(this.folder);
  }

  async #start(
    { repository, kubeconfigPath, flags = [], images }: OwnFluxdOptions,
    port: number,
  ): Promise<void> {
    const env = { PATH: process.env["PATH"], HOME: this.folder };
    const outcome = parseFluxdArgs(
      [
        `--git-url=${repository.url}`,
        "--git-poll-interval=1h",
        "--sync-interval=1h",
        `--listen=127.0.0.1:${port}`,
        `--kube-config=${kubeconfigPath}`,
        ...flags,
      ],
      env,
    );
    if (outcome.kind !== "run") {
      throw new Error(`fluxd does not start: ${JSON.stringify(outcome)}`);
    }
    const logger = createLogger({
      format: "logfmt",
      clock: systemClock,
      redact: (text) => text,
      write: (line) => (this.#log += line),
    });
    const { signal } = this.#stop;
    const composition = { config: outcome.config, env, logger, cleanup: this.#cleanup, signal, images };
    this.#running = (await compose(composition)).run(signal);
  }
}

/** Runs fluxctl in the process of the test, too, against a fluxd in whatever process. */
export async function fluxctl(
  fluxd: Pick<OwnFluxd, "apiUrl" | "folder">,
  ...args: readonly string[]
): Promise<CommandResult> {
  const env = { HOME: fluxd.folder, FLUX_URL: fluxd.apiUrl };
  const { exit: code, stdout, stderr } = await runOwnFluxctl(args, env);
  return { code, stdout, stderr };
}
