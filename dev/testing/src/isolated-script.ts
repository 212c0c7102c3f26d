import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A shell that outlives nothing: when the pipe to its standard input ends, which it does with this process, however
 * that ends, the script's own input ends too. The script is the first process of its namespace, so that the kernel
 * ends all others with it, and takes down its mounts and its network. Then the folder goes, unless it is to be kept.
 */
const wrapper = `
unshare --mount --net --pid --fork --kill-child --mount-proc sh "$1/script.sh"
[ -n "$2" ] || rm -rf "$1"`;

/** Set to anything, it keeps the folders of pod clusters, for a look at their logs. */
const keepVariable = "WEIR_TEST_KEEP_PODS";

/** A script in network, process, and mount namespaces of its own; all that it starts ends with it. */
export class IsolatedScript {
  readonly #folder: string;
  readonly #child: ReturnType<typeof spawn>;
  readonly #exited: Promise<void>;

  /** Starts `script.sh` of a folder; what it writes goes to `script.log` there, and the folder goes when it ends. */
  constructor(folder: string) {
    this.#folder = folder;
    const keep = process.env[keepVariable] ?? "";
    if (keep !== "") {
      process.stderr.write(`the pod cluster's logs stay in ${folder}\n`);
    }
    const output = openSync(join(folder, "script.log"), "a");
    // In a session of its own: what ends this process from the terminal must not end the one that cleans up.
    this.#child = spawn("sh", ["-c", wrapper, "sh", folder, keep], {
      stdio: ["pipe", output, output],
      detached: true,
    });
    closeSync(output);
    this.#exited = new Promise((resolve) => this.#child.once("exit", () => resolve()));
    this.#child.stdin?.on("error", () => undefined);
  }

  /** True where it has ended. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The end of what one of its programs wrote. */
  tail(program: string): string {
    try {
      return readFileSync(join(this.#folder, `${program}.log`), "utf8").slice(-2_000);
    } catch {
      return "";
    }
  }

  /** Ends it; resolves when all that it started is gone. */
  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.#exited;
  }
}
