import type { Unsubscribe } from "@weir/base";
import type { ApiResource, GroupKind, KubeObject, ResourceKey } from "@weir/kube";

/** A live object changed; `after` is undefined if it was deleted, `before` if it's new. */
export interface ResourceEvent {
  readonly key: ResourceKey;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** A kind, in all namespaces or in one; with a name, one object of it. */
export interface KindInNamespace extends GroupKind {
  readonly namespace?: string;
  readonly name?: string;
}

/** What is known about an object. */
export type KnownObject =
  /** Not all objects of its kind are known in its namespace. */
  | { readonly kind: "unlisted" }
  | { readonly kind: "absent" }
  | { readonly kind: "whole" | "slim"; readonly object: KubeObject };

/** A part of the API that the server can't reach, usually because of an unavailable aggregated API server. */
export interface UnavailableApi {
  readonly group: string;
  readonly version: string;
  /** As the server says it. */
  readonly reason: string;
}

/**
 * The kinds of targets that follow. Their lists begin at once, and as far as there's room, what arrives is held whole
 * until it's known which objects are targets, so that nothing must be read twice; then, lists wait for the targets.
 * Disposed if no targets follow: the kinds stay watched, like those of former targets.
 */
export interface ExpectedTargetKinds extends Disposable {
  /** Whatever keeps a kind from being listed is reported to those who set the targets. */
  add(kind: GroupKind): void;
}

/**
 * The requested objects of a cluster, kept up to date by watches. Targets, and the objects of kinds that are
 * requested with `holdKinds`, are held whole (except managedFields). Of all other objects, only what trees and
 * prune guards need is held: key, versions, owners, and health, and if they have the managed-by label, also
 * labels, age, finalizers, and short annotations.
 */
export interface ResourceCache {
  /**
   * Starts to hold all objects of these kinds whole and resolves when each is listed; kinds that the server
   * doesn't have are skipped.
   */
  holdKinds(kinds: readonly GroupKind[], signal: AbortSignal): Promise<void>;
  /** Starts to watch all objects of these kinds and resolves when each is listed; unserved kinds are skipped. */
  watchKinds(kinds: readonly GroupKind[], signal: AbortSignal): Promise<void>;
  /** Starts to watch the labeled objects of all other kinds and resolves when each kind is listed. */
  watchManaged(signal: AbortSignal): Promise<void>;
  /**
   * Replaces the targets of a unit: starts to watch their kinds, and resolves when each kind is listed and the
   * objects are held whole, as far as the server has them. Objects that no unit has as targets anymore become
   * slim. Rejects if the server can't be reached.
   */
  setTargets(unit: string, targets: readonly ResourceKey[], signal: AbortSignal): Promise<void>;
  /**
   * Announces targets of a unit whose kinds are known before their names, because manifests are still being read.
   * Ends with the next targets of the unit.
   */
  expectTargets(unit: string): ExpectedTargetKinds;
  /** What is known about an object: the answers of `isHeld` and `get` at once. */
  find(key: ResourceKey): KnownObject;
  /** The live object, or undefined if it doesn't exist or isn't watched. Slim, unless it's held whole. */
  get(key: ResourceKey): KubeObject | undefined;
  /**
   * True if all objects of the kind are known; with a namespace, if that holds there; with a name, if also the
   * object is held whole, should it exist.
   */
  isHeld(kind: KindInNamespace): boolean;
  /** All objects of a kind that's held whole, in one namespace if given; otherwise, none. */
  list(kind: GroupKind, namespace?: string): Iterable<KubeObject>;
  /**
   * All objects with the managed-by label, whole or slim, with kinds in the server's order. Nothing else is
   * ever pruned, so excluded kinds are omitted here even if they're held.
   */
  managed(): Iterable<KubeObject>;
  /** False for a kind without managed objects; true also for an unknown kind. */
  mayBeManaged(kind: GroupKind): boolean;
  /**
   * The API versions that the server couldn't reach when it was last asked. Their objects are unknown, or may
   * be out of date.
   */
  unavailable(): readonly UnavailableApi[];
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
