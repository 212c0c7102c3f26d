import type { KubeObject } from "@weir/kube";
import { syncWordsOf } from "./annotations.ts";

/** How an object is written to the server. */
export type ApplyMethod = "client-side" | "server-side" | "replace";

/** What an object asks for by its annotation sync-options. */
export interface ObjectSyncOptions {
  /** ServerSideApply=true or Replace=true; undefined where it asks for neither. */
  readonly method?: ApplyMethod;
  /** Validate=false: fields that the server does not know are dropped without an error. */
  readonly validate: boolean;
  /** Prune=false or Delete=false: it is not pruned. */
  readonly prune: boolean;
  /** PruneLast=true: it is pruned after everything else. */
  readonly pruneLast: boolean;
}

/** Of an object that asks for nothing, as nearly all do. */
const usual: ObjectSyncOptions = { validate: true, prune: true, pruneLast: false };

/** The options that an object bears; of a live object those matter that are about pruning. */
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
