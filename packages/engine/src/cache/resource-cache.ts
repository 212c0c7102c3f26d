import type { Unsubscribe } from "@weir/base";
import type { ApiResource, GroupKind, KubeObject, ResourceKey } from "@weir/kube";

/** A live object changed; `after` is undefined if it was deleted, `before` if it's new. */
export interface ResourceEvent {
  readonly key: ResourceKey;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** A kind, in all namespaces or in one. */
export interface KindInNamespace extends GroupKind {
  readonly namespace?: string;
}

/**
 * The requested objects of a cluster, kept up to date by watches. Kinds requested with `holdKinds` are held
 * in full (except managedFields). With `watchManaged`, the objects of all other kinds that have the
 * managed-by label are held as metadata only.
 */
export interface ResourceCache {
  /**
   * Starts to hold these kinds in full and resolves when each is listed; kinds that the server doesn't have
   * are skipped.
   */
  holdKinds(kinds: readonly GroupKind[], signal: AbortSignal): Promise<void>;
  /** Starts to watch the labeled objects of all other kinds and resolves when each kind is listed. */
  watchManaged(signal: AbortSignal): Promise<void>;
  /**
   * The live object, or undefined if it doesn't exist or its kind isn't held. Metadata only for managed
   * objects.
   */
  get(key: ResourceKey): KubeObject | undefined;
  /** True if the kind is held in full and its list is complete; with a namespace, if that holds there. */
  isHeld(kind: KindInNamespace): boolean;
  /** All held objects of a kind, in one namespace if given. */
  list(kind: GroupKind, namespace?: string): Iterable<KubeObject>;
  /**
   * All objects with the managed-by label, in full or as metadata, with kinds in the server's order. Nothing
   * else is ever pruned, so excluded kinds are omitted here even if they're held.
   */
  managed(): Iterable<KubeObject>;
  /** False for a kind without managed objects; true also for an unknown kind. */
  mayBeManaged(kind: GroupKind): boolean;
  /** The served resource of a kind, in its preferred version or the given one; from discovery. */
  resourceOf(kind: GroupKind, version?: string): Promise<ApiResource | undefined>;
  /** Applies an object as the server returned it for a write or a read, so that a plan made right after it isn't stale. */
  observe(object: KubeObject): void;
  /**
   * Records that an object was deleted, or that the server doesn't have it. With a UID, another object of the
   * same name isn't meant.
   */
  observeDeleted(key: ResourceKey, uid?: string): void;
  subscribe(listener: (event: ResourceEvent) => void): Unsubscribe;
}
