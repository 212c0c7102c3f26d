import { statSync } from "node:fs";
import { join } from "node:path";
import { findProgram, TempFolder } from "@weir/testing";

/** A git that tells how often it was started: moments of a program's work that do not hang on its speed. */
export class CountedGit implements Disposable {
  readonly #folder = new TempFolder();
  readonly #starts: string;

  constructor() {
    this.#starts = this.#folder.write("starts", "");
    const script = `#!/bin/sh\nprintf . >> '${this.#starts}'\nexec '${findProgram("git") ?? "git"}' "$@"\n`;
    this.#folder.write("bin/git", script, 0o755);
  }

  /** Where programs look for it first. */
  get programs(): string {
    return join(this.#folder.path, "bin");
  }

  /** How often it was started so far. */
  get starts(): number {
    return statSync(this.#starts).size;
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
