import { type KubeObject, keyOf, printKey, type ResourceKey } from "@weir/kube";

/** The key of an object, and that key as text. */
export interface Identity {
  readonly key: ResourceKey;
  readonly id: string;
}

const identities = new WeakMap<KubeObject, Identity>();

/**
 * The identity of a target. Each plan needs it for each target, most of which are the same objects as before: it's
 * made once, since objects are never modified.
 */
export function identityOf(object: KubeObject): Identity {
  const known = identities.get(object);
  if (known !== undefined) {
    return known;
  }
  const key = keyOf(object);
  const made = { key, id: printKey(key) };
  identities.set(object, made);
  return made;
}
