import { manifestLimits } from "@weir/base";
import { ManifestError } from "./errors.ts";
import type { Manifest } from "./manifest.ts";

/** The manifests of a repository are too large together, however small each is. */
export class ManifestSumError extends ManifestError {}

/** Counts the manifests of a repository as they come, by the bytes that are kept of them. */
export class ManifestSum {
  #characters = 0;

  /** Throws ManifestSumError where they become too many; then they are not counted. */
  add(manifests: readonly Manifest[], source: string): void {
    const more = manifests.reduce((sum, { content }) => sum + content.bytes.length, 0);
    if (this.#characters + more > manifestLimits.sum) {
      throw new ManifestSumError(
        `unable to read ${source}: with it the manifests of the repository are larger than ${manifestLimits.sum} characters together; narrow --git-path, or divide them among several repositories and fluxds`,
        source,
      );
    }
    this.#characters += more;
  }
}
