import type { Unsubscribe } from "@weir/base";
import type { ApiResource, GroupKind, KubeObject, ResourceKey } from "@weir/kube";

/** A live object changed; `after` is undefined where it is gone, `before` where it is new. */
export interface ResourceEvent {
  readonly key: ResourceKey;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** A kind, everywhere or in one namespace. */
export interface KindInNamespace extends GroupKind {
  readonly namespace?: string;
}

/**
 * What lives in the cluster, as far as it has been asked for, kept fresh by watches. Kinds asked for with
 * `holdKinds` are held whole (less managedFields); with `watchManaged`, of all other kinds the objects that
 * bear the managed-by label are held as metadata only.
 */
export interface ResourceCache {
  /** Starts to hold these kinds whole and resolves when each is listed; kinds the server lacks are left out. */
  holdKinds(kinds: readonly GroupKind[], signal: AbortSignal): Promise<void>;
  /** Starts to watch the labelled objects of all other kinds and resolves when each kind is listed. */
  watchManaged(signal: AbortSignal): Promise<void>;
  /** The live object, undefined where there is none or its kind is not held. Metadata only for managed ones. */
  get(key: ResourceKey): KubeObject | undefined;
  /** True where the kind is held whole and its list is in; with a namespace, what is there of it. */
  isHeld(kind: KindInNamespace): boolean;
  /** All held objects of a kind; of one namespace where it is given. */
  list(kind: GroupKind, namespace?: string): Iterable<KubeObject>;
  /**
   * All objects bearing the managed-by label, whole or as metadata, kinds in the order of the server. Nothing else
   * is ever pruned, so kinds that are excluded are left out here, however they came to be held.
   */
  managed(): Iterable<KubeObject>;
  /** False for a kind of which nothing is managed; true also where the kind is not known. */
  mayBeManaged(kind: GroupKind): boolean;
  /** The served resource of a kind, in its preferred version or the one given; from discovery. */
  resourceOf(kind: GroupKind, version?: string): Promise<ApiResource | undefined>;
  /** Takes an answer of the server to a write of ours, so that a plan made right after it is not stale. */
  observe(object: KubeObject): void;
  /** Takes the news that an object is gone, or re-read as absent. */
  observeDeleted(key: ResourceKey): void;
  subscribe(listener: (event: ResourceEvent) => void): Unsubscribe;
}
