import { type KubeObject, keyOf, printKey, type ResourceKey } from "@weir/kube";
import { identityOf } from "./identity.ts";

/** A manifest that should exist in the cluster. */
export interface Target {
  readonly object: KubeObject;
  /** False: the target isn't applied, but it still protects its object from pruning. */
  readonly apply?: boolean;
  /** True: the namespace that the sync itself adds; it comes first, and doesn't count as a target. */
  readonly isNamespaceOfUnit?: boolean;
}

/** What is known about a target's live object before the server is asked. */
export type LiveState =
  | { readonly kind: "absent" }
  | { readonly kind: "present"; readonly object: KubeObject }
  /**
   * The object must be read: its kind isn't held, or `object` is in a different API version than the target.
   */
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
  /** The number of live objects that may have been targets before, orphans included; not those with an owner. */
  readonly managed: number;
}

/** Two targets are the same object, so it's unclear which one is meant. */
export class DuplicateTargetError extends Error {
  override readonly name = "DuplicateTargetError";
  readonly key: ResourceKey;

  constructor(key: ResourceKey) {
    super(`${printKey(key)} is defined more than once`);
    this.key = key;
  }
}

/**
 * Matches targets with live objects. `managed` are live objects that may have been targets before: those
 * without a target are returned as orphans, each once, even if the server shows it in several API groups.
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
    const { key, id } = identityOf(target.object);
    const pair = { key, id, target, live: liveOf(key, target.object) };
    if (!wanted.add(pair)) {
      throw new DuplicateTargetError(key);
    }
    pairs.push(pair);
  }
  return { pairs, ...wanted.orphansAmong(managed) };
}

/** The objects that targets require, by all the ways in which a live object can match a target. */
class Wanted {
  readonly #ids = new Set<string>();
  /** The live objects of targets. */
  readonly #objects = new Set<KubeObject>();
  readonly #uids = new Set<string>();
  /** Targets whose live object isn't known, by kind, namespace, and name: it may appear in another group. */
  readonly #unseen = new Set<string>();
  /** Prefixes of keys of objects with generated names. */
  readonly #beginnings: string[] = [];

  /** False if the target already exists; targets without a name are never duplicates. */
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
      if (live.object !== undefined) {
        this.#objects.add(live.object);
      }
      const uid = live.object?.metadata.uid;
      (uid === undefined ? this.#unseen : this.#uids).add(uid ?? withoutGroup(key));
    }
    return true;
  }

  orphansAmong(managed: Iterable<KubeObject>): Pick<Reconciliation, "orphans" | "managed"> {
    const orphans: KubeObject[] = [];
    const uids = new Set(this.#uids);
    const seen = new Set<string>();
    for (const live of managed) {
      const uid = live.metadata.uid ?? printKey(keyOf(live));
      if (live.metadata.ownerReferences === undefined || live.metadata.ownerReferences.length === 0) {
        seen.add(uid);
      }
      if (!this.#isWanted(live) && !uids.has(uid)) {
        uids.add(uid);
        orphans.push(live);
      }
    }
    return { orphans, managed: seen.size };
  }

  #isWanted(live: KubeObject): boolean {
    if (this.#objects.has(live)) {
      return true;
    }
    const key = keyOf(live);
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
