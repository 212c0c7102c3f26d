import type { StoreEvent } from "../storage/bucket.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** Brings one kind of thing towards what was asked for. */
export interface Controller {
  /** For the log. */
  readonly name: string;
  /** What to look at because of a write; a key means what the controller likes, often "namespace/name". */
  keysOf(event: StoreEvent): readonly string[];
  /** Looks at one thing and does what there is to do. Returns in how many milliseconds to look again, if so. */
  reconcile(key: string): number | undefined;
}

/** The key of an object whose controller looks at objects one by one. */
export function keyOf({ namespace, name }: StoredObject): string {
  return `${namespace}/${name}`;
}

/** The namespace and name in such a key. */
export function partsOfKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
