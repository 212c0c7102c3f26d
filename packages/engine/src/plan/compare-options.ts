import type { KubeObject } from "@weir/kube";
import { allSyncWordsOf, switchIn } from "./annotations.ts";

/**
 * When the server is asked, by a dry run, whether a write would change anything: "auto", if the manifest and the live
 * object don't tell; "always", for each object whose live object changed since; "never".
 */
export type ServerSideDiff = "auto" | "always" | "never";

/** ServerSideDiff=true or false in an object's compare-options annotations; undefined if neither is set. */
export function serverSideDiffOf(object: KubeObject): ServerSideDiff | undefined {
  const words = allSyncWordsOf(object, "compare-options");
  const isOn = words.length === 0 ? undefined : switchIn(words, "ServerSideDiff");
  return isOn === undefined ? undefined : isOn ? "always" : "never";
}
