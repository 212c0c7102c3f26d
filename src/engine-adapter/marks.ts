import { createHash } from "node:crypto";
import type { ResourceId } from "../resource/id.ts";

/** The label by which what Flux applied is found again for garbage collection. */
export const markLabel = "fluxcd.io/sync-gc-mark";

/** The annotation that tells from which manifest an object was applied last. */
export const checksumAnnotation = "fluxcd.io/sync-checksum";

/** The annotations by which an object asks to be left alone. */
const ignoreAnnotations = ["fluxcd.io/ignore", "flux.weave.works/ignore"] as const;

/**
 * The value of the mark label for a resource of a sync set. It depends on the resource, so that a label
 * copied to another object does not get that object deleted. As Flux v1's makeGCMark.
 */
export function markOf(syncSetName: string, id: ResourceId): string {
  const digest = createHash("sha256").update(syncSetName).update(id).digest("base64url");
  return `sha256.${digest}`;
}

/** The checksum of a manifest: the SHA-1 of its bytes as loaded, in hex. */
export function checksumOf(bytes: string): string {
  return createHash("sha1").update(bytes).digest("hex");
}

/** What an object says of being ignored: "true", "sync_only", another value, or undefined. */
export function ignoreValueOf(
  annotations: Readonly<Record<string, string>> | null | undefined,
): string | undefined {
  return ignoreAnnotations.map((name) => annotations?.[name]).find((value) => value !== undefined);
}
