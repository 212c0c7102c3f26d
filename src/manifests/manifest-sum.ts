import { manifestLimits } from "@weir/base";
import { ManifestError } from "./errors.ts";
import type { Manifest } from "./manifest.ts";

/** Counts the characters that are kept of a repository's manifests as they're loaded. */
export class ManifestSum {
  #characters = 0;

  /** Throws ManifestSumError if the limit is exceeded; these manifests aren't counted then. */
  add(manifests: readonly Manifest[], source: string): void {
    const more = manifests.reduce((sum, { content }) => sum + content.bytes.length, 0);
    if (this.#characters + more > manifestLimits.sum) {
      throw new ManifestSumError(
        `unable to read ${source}: with this file, the manifests in the repository exceed the limit of ${manifestLimits.sum} characters in total; narrow --git-path, or split them into several repositories, each with its own fluxd`,
        source,
      );
    }
    this.#characters += more;
  }
}

/** The manifests of a repository are too large in total, even if each of them is small. */
export class ManifestSumError extends ManifestError {}
