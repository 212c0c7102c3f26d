import { hash } from "node:crypto";
import type { ResourceId } from "../resource/id.ts";

/** The label that identifies objects that Flux applied, for garbage collection. */
export const markLabel = "fluxcd.io/sync-gc-mark";

/** The annotation that identifies the manifest that was last applied to an object. */
export const checksumAnnotation = "fluxcd.io/sync-checksum";

/** The annotations that ask to leave an object unchanged. */
const ignoreAnnotations = ["fluxcd.io/ignore", "flux.weave.works/ignore"] as const;

/**
 * The value of the mark label for a resource of a sync set. It depends on the resource, so that copying the label to
 * another object doesn't get that object deleted. Like Flux v1's makeGCMark.
 */
export function markOf(syncSetName: string, id: ResourceId): string {
  return `sha256.${hash("sha256", syncSetName + id, "base64url")}`;
}

/** The checksum of a manifest: the SHA-1 of its bytes as loaded, in hex. */
export function checksumOf(bytes: string): string {
  return hash("sha1", bytes, "hex");
}

/** The value of an object's ignore annotation: "true", "sync_only", another value, or undefined. */
export function ignoreValueOf(
  annotations: Readonly<Record<string, string>> | null | undefined,
): string | undefined {
  return ignoreAnnotations.map((name) => annotations?.[name]).find((value) => value !== undefined);
}
