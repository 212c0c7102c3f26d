import { createHash } from "node:crypto";
import { fluxSafeUrl } from "./remote.ts";

/**
 * The name of everything that's synced from these paths of this branch. It's part of the garbage-collection mark of
 * every object, so it must be the same as in Flux v1 with the same configuration: the SHA-256 of URL, branch, and paths
 * in a row, in URL-safe base64 without padding.
 */
export function syncSetName(url: string, branch: string, paths: readonly string[]): string {
  return createHash("sha256")
    .update([fluxSafeUrl(url), branch, ...paths].join(""))
    .digest("base64url");
}
