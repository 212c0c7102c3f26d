import { createHash } from "node:crypto";
import { fluxSafeUrl } from "./remote.ts";

/**
 * The name of all that is synced from these paths of this branch. It goes into the garbage-collection mark of
 * every object, so it has to be what Flux v1 makes of the same configuration: the SHA-256 of URL, branch and
 * paths in a row, in URL-safe base64 without padding.
 */
export function syncSetName(url: string, branch: string, paths: readonly string[]): string {
  return createHash("sha256")
    .update([fluxSafeUrl(url), branch, ...paths].join(""))
    .digest("base64url");
}
