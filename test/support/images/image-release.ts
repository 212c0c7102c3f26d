import { TempFolder } from "@weir/testing";
import type { ReleaseContext } from "../../../scripts/release/context.ts";
import { type Architecture, architectures } from "../../../scripts/release/images/architecture.ts";
import { releaseContext } from "../release-context.ts";

/** The architecture of this machine; undefined if there are no images for it. */
export const ownArchitecture: Architecture | undefined = architectures.find(
  ({ name }) => name === (process.arch === "x64" ? "amd64" : process.arch),
);

/** A release that only images are built of, in a folder that goes with it. */
export class ImageRelease implements Disposable {
  readonly context: ReleaseContext;
  readonly #folder = new TempFolder();

  constructor() {
    this.context = releaseContext(this.#folder.path, { version: "0.0.0-test" });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
