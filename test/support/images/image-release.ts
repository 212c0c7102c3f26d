import { createHash } from "node:crypto";
import { join } from "node:path";
import { TempFolder } from "@weir/testing";
import type { ReleaseContext } from "../../../scripts/release/context.ts";
import { type Architecture, architectures } from "../../../scripts/release/images/architecture.ts";

const root = join(import.meta.dirname, "../../..");

/** The architecture of this machine; undefined if there are no images for it. */
export const ownArchitecture: Architecture | undefined = architectures.find(
  ({ name }) => name === (process.arch === "x64" ? "amd64" : process.arch),
);

/** A release that only images are built of, in a folder that goes with it. */
export class ImageRelease implements Disposable {
  readonly context: ReleaseContext;
  readonly #folder = new TempFolder();

  constructor() {
    const { path } = this.#folder;
    this.context = {
      root,
      version: "0.0.0-test",
      commit: createHash("sha1").update("commit").digest("hex"),
      sourceDate: 1_700_000_000,
      out: join(path, "out"),
      work: join(path, "work"),
      say: () => undefined,
      signal: new AbortController().signal,
    };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
