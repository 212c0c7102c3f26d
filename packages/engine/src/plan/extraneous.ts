import type { KubeObject } from "@weir/kube";
import { allSyncWordsOf } from "./annotations.ts";

/** True for an object that, as an orphan, doesn't make its unit out of sync; it's pruned like any other. */
export function isIgnoredAsExtraneous(object: KubeObject): boolean {
  return allSyncWordsOf(object, "compare-options").includes("IgnoreExtraneous");
}
