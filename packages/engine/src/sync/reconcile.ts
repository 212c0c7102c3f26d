import { type KubeObject, keyOf, printKey, type ResourceKey } from "@weir/kube";

/** A manifest that the cluster is to hold. */
export interface Target {
  readonly object: KubeObject;
  /** False: it only counts as wanted, so that it is not pruned, and is not applied. */
  readonly apply?: boolean;
}

/** What is known of a target's live object before the server is asked. */
export type LiveState =
  | { readonly kind: "absent" }
  | { readonly kind: "present"; readonly object: KubeObject }
  /** It has to be read: its kind is not held, or in another version than the target's, which `object` then has. */
  | { readonly kind: "unread"; readonly object?: KubeObject };

/** A target and its live counterpart. */
export interface TargetPair {
  readonly key: ResourceKey;
  /** The key as text. */
  readonly id: string;
  readonly target: Target;
  readonly live: LiveState;
}

/** Targets with their live objects, and live objects without a target. */
export interface Reconciliation {
  readonly pairs: readonly TargetPair[];
  readonly orphans: readonly KubeObject[];
}

/** Two targets are the same object; nothing can be said about which is meant. */
export class DuplicateTargetError extends Error {
  override readonly name = "DuplicateTargetError";
  readonly key: ResourceKey;

  constructor(key: ResourceKey) {
    super(`more than one target is ${printKey(key)}`);
    this.key = key;
  }
}

/**
 * Brings targets and live objects together. `managed` are live objects that may have been targets once: those
 * that are none now come back as orphans, each once, though the server may show it in several API groups.
 * Throws DuplicateTargetError.
 */
export function reconcile(
  targets: readonly Target[],
  managed: Iterable<KubeObject>,
  liveOf: (key: ResourceKey, target: KubeObject) => LiveState,
): Reconciliation {
  const pairs: TargetPair[] = [];
  const wanted = new Wanted();
  for (const target of targets) {
    const key = keyOf(target.object);
    const pair = { key, id: printKey(key), target, live: liveOf(key, target.object) };
    if (!wanted.add(pair)) {
      throw new DuplicateTargetError(key);
    }
    pairs.push(pair);
  }
  return { pairs, orphans: wanted.orphansAmong(managed) };
}

/** What targets ask for, by all the ways in which a live object may turn out to be asked for. */
class Wanted {
  readonly #ids = new Set<string>();
  readonly #uids = new Set<string>();
  /** Targets whose live object is not known, by kind, namespace and name: it may be shown in another group. */
  readonly #unseen = new Set<string>();
  /** Beginnings of keys of what is created under made-up names. */
  readonly #beginnings: string[] = [];

  /** False where the target is there already; those without a name are never the same. */
  add({ key, id, target, live }: TargetPair): boolean {
    if (key.name === "") {
      this.#beginnings.push(`${id}${target.object.metadata.generateName ?? ""}`);
      return true;
    }
    if (this.#ids.has(id)) {
      return false;
    }
    this.#ids.add(id);
    if (live.kind !== "absent") {
      const uid = live.object?.metadata.uid;
      (uid === undefined ? this.#unseen : this.#uids).add(uid ?? withoutGroup(key));
    }
    return true;
  }

  orphansAmong(managed: Iterable<KubeObject>): readonly KubeObject[] {
    const orphans: KubeObject[] = [];
    const uids = new Set(this.#uids);
    for (const live of managed) {
      const key = keyOf(live);
      const uid = live.metadata.uid ?? printKey(key);
      if (!this.#isWanted(key) && !uids.has(uid)) {
        uids.add(uid);
        orphans.push(live);
      }
    }
    return orphans;
  }

  #isWanted(key: ResourceKey): boolean {
    const id = printKey(key);
    return (
      this.#ids.has(id) ||
      this.#unseen.has(withoutGroup(key)) ||
      this.#beginnings.some((beginning) => id.startsWith(beginning))
    );
  }
}

function withoutGroup({ kind, namespace, name }: ResourceKey): string {
  return `${kind}/${namespace}/${name}`;
}
