import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TempFolder, until } from "@weir/testing";
import { TestTerminal } from "./terminal.ts";

const weir = join(import.meta.dirname, "..", "..", "dist", "weir");

/** A demo in a terminal of its own, and another terminal beside it. Without colours, so that a test can read both. */
export class DemoAtTerminal implements AsyncDisposable {
  readonly demo: TestTerminal;
  readonly other: TestTerminal;
  readonly #folder: TempFolder;

  private constructor(demo: TestTerminal, other: TestTerminal, folder: TempFolder) {
    this.demo = demo;
    this.other = other;
    this.#folder = folder;
  }

  /** Types the command. */
  static async start(args: string, rows = 24): Promise<DemoAtTerminal> {
    const folder = new TempFolder();
    const size = { columns: 80, rows };
    const demo = await TestTerminal.start({ ...size, env: { TMPDIR: folder.path, NO_COLOR: "1" } });
    const other = await TestTerminal.start(size);
    const started = new DemoAtTerminal(demo, other, folder);
    await demo.enter(`${weir} demo ${args}`);
    return started;
  }

  /** Runs a command in the other terminal. */
  async type(command: string): Promise<string> {
    await this.other.enter(command);
    return this.other.finished();
  }

  /** What the demo has left behind: files, and processes that know its folder. */
  leftovers(): readonly string[] {
    return [...readdirSync(this.#folder.path), ...processesWith(this.#folder.path)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A demo that a failed test has left running ends with its terminal.
    await this.demo[Symbol.asyncDispose]();
    await this.other[Symbol.asyncDispose]();
    await until("the demo to clean up", () => this.leftovers().length === 0).finally(() => {
      this.#folder[Symbol.dispose]();
    });
  }
}

/** The command lines that contain a text. */
export function processesWith(text: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(join("/proc", pid, "cmdline"), "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    })
    .filter((line) => line.includes(text));
}
