import { type Clock, Listeners, type Logger, orAborted, toError, type Unsubscribe } from "@weir/base";
import { type ApiResource, type GroupKind, type KubeObject, keyOf, type ResourceKey } from "@weir/kube";
import { type Discovery, leanObject, metadataOf, type RestClient } from "@weir/kube/rest";
import { ApiChanges } from "./api-changes.ts";
import { inferredOwnershipsOf } from "./inferred-owners.ts";
import { isManaged, type ManagedLabel } from "./managed-label.ts";
import { Ownership } from "./ownership.ts";
import type { KindInNamespace, ResourceCache, ResourceEvent } from "./resource-cache.ts";
import type { KindFilter } from "./watchable.ts";
import { type WatchedKind, WatchedKinds } from "./watched-kinds.ts";

/**
 * Keeps the objects of a cluster in memory. Its input is lists and watches (kind-watcher) and the responses
 * to our own writes; kind-store and own-writes bring both into one order. Its output is objects by key, kind,
 * namespace, label, and owner, and an event for each change. Discovery tells which kinds exist, and
 * api-changes notices when that changes.
 */

/** The dependencies of a cluster cache. */
export interface ClusterCacheOptions {
  readonly client: RestClient;
  readonly discovery: Discovery;
  /** Without it, only kinds that were requested are watched. */
  readonly managedLabel: ManagedLabel | undefined;
  /** Empty: all namespaces. Otherwise, only these are listed and watched, so that Roles are enough. */
  readonly namespaces: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Kinds without managed objects, checked for each version in which a kind is served. If no version is left,
   * objects of the kind are neither searched for nor reported as managed. They can still be held.
   */
  readonly excludes: KindFilter;
}

/** A resource cache that is started once and stopped once. */
export interface ClusterCache extends ResourceCache, AsyncDisposable {
  /**
   * The held objects that an object owns, by owner references or by ownership that Kubernetes doesn't record.
   */
  childrenOf(key: ResourceKey): Iterable<KubeObject>;
  /** Starts to follow which kinds the server has. */
  start(): void;
  /** Ends all watches; resolves when none is left. Held objects can still be read. */
  stop(): Promise<void>;
}

/** Creates a cache that is empty until kinds are requested. */
export function createClusterCache(options: ClusterCacheOptions): ClusterCache {
  return new WatchedCache(options);
}

class WatchedCache implements ClusterCache {
  readonly #options: ClusterCacheOptions;
  readonly #kinds: WatchedKinds;
  readonly #listeners = new Listeners<(event: ResourceEvent) => void>();
  readonly #ownership = new Ownership();
  #changes: ApiChanges | undefined;
  #watchesManaged = false;
  #stopped = false;

  constructor(options: ClusterCacheOptions) {
    this.#options = options;
    const { client, clock, logger, namespaces, managedLabel, excludes } = options;
    this.#kinds = new WatchedKinds({
      client,
      clock,
      logger,
      namespaces,
      managedLabel,
      excludes,
      onEvents: (events) => this.#emit(events),
      onGone: () => this.#changes?.note(),
    });
  }

  start(): void {
    const { client, clock, discovery } = this.#options;
    this.#changes ??= new ApiChanges({ client, clock, discovery, onChange: () => this.#followQuietly() });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#changes?.stop();
    await this.#kinds.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async holdKinds(kinds: readonly GroupKind[], signal: AbortSignal): Promise<void> {
    await Promise.all(kinds.map((kind) => this.#holdKind(kind, signal)));
  }

  async watchManaged(signal: AbortSignal): Promise<void> {
    if (this.#options.managedLabel === undefined) {
      return;
    }
    this.#watchesManaged = true;
    await orAborted(this.#follow(), signal);
    const settled = [...this.#kinds.all()].map(({ watcher }) => watcher.settled());
    await orAborted(Promise.all(settled), signal);
  }

  get(key: ResourceKey): KubeObject | undefined {
    return this.#kinds.get(key)?.store.get(key.namespace, key.name);
  }

  isHeld(kind: KindInNamespace): boolean {
    const known = this.#kinds.get(kind);
    return known !== undefined && known.whole && known.watcher.isListed(kind.namespace);
  }

  list(kind: GroupKind, namespace?: string): Iterable<KubeObject> {
    const known = this.#kinds.get(kind);
    return known?.whole === true ? known.store.list(namespace) : [];
  }

  *managed(): IterableIterator<KubeObject> {
    const { managedLabel } = this.#options;
    if (managedLabel === undefined) {
      return;
    }
    for (const { store } of this.#kinds.managed()) {
      for (const object of store.list()) {
        if (isManaged(object, managedLabel)) {
          yield object;
        }
      }
    }
  }

  mayBeManaged(kind: GroupKind): boolean {
    return this.#kinds.get(kind)?.mayBeManaged !== false;
  }

  *childrenOf(key: ResourceKey): IterableIterator<KubeObject> {
    const owner = this.get(key);
    if (owner === undefined) {
      return;
    }
    for (const child of this.#ownership.childrenOf(owner.metadata.uid ?? "")) {
      const object = this.get(child);
      if (object !== undefined) {
        yield object;
      }
    }
    for (const { child, owns } of inferredOwnershipsOf(key)) {
      for (const object of this.list(child, key.namespace)) {
        if (owns(owner, object)) {
          yield object;
        }
      }
    }
  }

  resourceOf(kind: GroupKind, version?: string): Promise<ApiResource | undefined> {
    return this.#options.discovery.resourceOf(kind, version);
  }

  observe(object: KubeObject): void {
    const key = keyOf(object);
    const kind = this.#kindOf(key);
    const { managedLabel } = this.#options;
    if (kind === undefined) {
      return;
    }
    if (kind.whole) {
      this.#emit(kind.store.wrote(leanObject(object)));
    } else if (managedLabel !== undefined && isManaged(object, managedLabel)) {
      this.#emit(kind.store.wrote(metadataOf(object)));
    } else {
      // It may have lost the label: then it's no longer managed.
      this.observeDeleted(key, object.metadata.uid);
    }
  }

  observeDeleted(key: ResourceKey, uid?: string): void {
    this.#emit(this.#kindOf(key)?.store.wroteDeletion(key.namespace, key.name, uid) ?? []);
  }

  subscribe(listener: (event: ResourceEvent) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  async #holdKind(kind: GroupKind, signal: AbortSignal): Promise<void> {
    const known = this.#kinds.get(kind);
    if (known?.whole === true) {
      return orAborted(known.watcher.settled(), signal);
    }
    const served = await orAborted(this.#options.discovery.kindOf(kind), signal);
    const held = served && this.#kinds.hold(served);
    if (held !== undefined) {
      await orAborted(held.watcher.settled(), signal);
    }
  }

  /** The kind of an object, if the kind and the object's namespace are watched. */
  #kindOf(key: ResourceKey): WatchedKind | undefined {
    const { namespaces } = this.#options;
    const allowed = key.namespace === "" || namespaces.length === 0 || namespaces.includes(key.namespace);
    return allowed ? this.#kinds.get(key) : undefined;
  }

  /** Applies the current discovery result. */
  async #follow(): Promise<void> {
    const served = await this.#options.discovery.kinds();
    // The server may answer after the cache was stopped.
    if (this.#stopped) {
      return;
    }
    this.#kinds.follow(served);
    for (const kind of this.#watchesManaged ? served : []) {
      this.#kinds.watchManaged(kind);
    }
  }

  async #followQuietly(): Promise<void> {
    try {
      await this.#follow();
    } catch (error) {
      if (this.#stopped) {
        return;
      }
      this.#kinds.failed("discovery", toError(error));
    }
  }

  #emit(events: readonly ResourceEvent[]): void {
    for (const event of events) {
      this.#ownership.apply(event);
      for (const listener of this.#listeners) {
        this.#tell(listener, event);
      }
    }
  }

  /** A listener that throws affects neither the other listeners nor the watch. */
  #tell(listener: (event: ResourceEvent) => void, event: ResourceEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#options.logger.log({ warning: "a subscriber of the cluster cache failed", err: toError(error) });
    }
  }
}
