import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";
import type { ReleaseContext } from "../../scripts/release/context.ts";

export const root = join(import.meta.dirname, "../..");

/** Runs a program to its end. */
export const run = promisify(execFile);

/** The version of what is in `dist`. */
export const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
};

/** A release of the working tree, as steps get it, that is removed when it's disposed. */
export class TestRelease implements Disposable {
  readonly context: ReleaseContext;
  /** What the steps said. */
  readonly said: string[] = [];
  readonly #folder = new TempFolder();

  constructor(given: Partial<Pick<ReleaseContext, "key" | "commit">> = {}) {
    this.context = {
      root,
      version,
      commit: "0123456789012345678901234567890123456789",
      sourceDate: 1_700_000_000,
      out: join(this.#folder.path, "out"),
      work: join(this.#folder.path, "work"),
      say: (line) => this.said.push(line),
      signal: new AbortController().signal,
      ...given,
    };
    mkdirSync(this.context.out);
    mkdirSync(this.context.work);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
