import type { KubeObject } from "@weir/kube";
import { syncWordsOf } from "./annotations.ts";

/** How an object is written to the server. */
export type ApplyMethod = "client-side" | "server-side" | "replace";

/** The options in an object's sync-options annotation. */
export interface ObjectSyncOptions {
  /** ServerSideApply=true or Replace=true; undefined if neither is set. */
  readonly method?: ApplyMethod;
  /** Validate=false: fields that the server doesn't know are dropped without an error. */
  readonly validate: boolean;
  /** Prune=false or Delete=false: the object isn't pruned. */
  readonly prune: boolean;
  /** PruneLast=true: the object is pruned after everything else. */
  readonly pruneLast: boolean;
}

/** The options of an object without the annotation, which is nearly every object. */
const usual: ObjectSyncOptions = { validate: true, prune: true, pruneLast: false };

/** The sync options of an object; for a live object, only the pruning options matter. */
export function syncOptionsOf(object: KubeObject): ObjectSyncOptions {
  const words = syncWordsOf(object, "sync-options");
  if (words.length === 0) {
    return usual;
  }
  const method = methodIn(words);
  return {
    ...(method === undefined ? {} : { method }),
    validate: !words.includes("Validate=false"),
    prune: !words.includes("Prune=false") && !words.includes("Delete=false"),
    pruneLast: words.includes("PruneLast=true"),
  };
}

function methodIn(words: readonly string[]): ApplyMethod | undefined {
  if (words.includes("Replace=true")) {
    return "replace";
  }
  if (words.includes("ServerSideApply=true")) {
    return "server-side";
  }
  return words.includes("ServerSideApply=false") ? "client-side" : undefined;
}
