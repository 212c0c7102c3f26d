import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";
import type { ReleaseContext } from "../../dev/release/context.ts";
import { releaseContext } from "../support/release-context.ts";

export const root = join(import.meta.dirname, "../..");

/** How large the slim image may be, compressed, in bytes. */
export const slimLimit = 120_000_000;

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

  constructor(given: Partial<Pick<ReleaseContext, "version" | "key" | "commit">> = {}) {
    this.context = releaseContext(this.#folder.path, {
      version,
      say: (line) => this.said.push(line),
      ...given,
    });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
