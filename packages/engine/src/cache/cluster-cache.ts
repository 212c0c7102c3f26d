import { type Clock, Listeners, type Logger, orAborted, toError, type Unsubscribe } from "@weir/base";
import {
  type ApiResource,
  type GroupKind,
  gvkOf,
  type KubeObject,
  keyOf,
  type ResourceKey,
} from "@weir/kube";
import type { Discovery, RestClient } from "@weir/kube/rest";
import { healthOf } from "../health/health.ts";
import type { Health } from "../health/health-status.ts";
import { mayHaveHealth } from "../health/kinds-without-status.ts";
import { overrideFor, type ResourceOverrides } from "../health/overrides.ts";
import { ApiChanges } from "./api-changes.ts";
import { readBodies } from "./bodies.ts";
import { ExpectedKinds } from "./expected-kinds.ts";
import type { HeldObject } from "./held-object.ts";
import { isManaged, type ManagedLabel } from "./managed-label.ts";
import { ObjectHolder } from "./object-holder.ts";
import { OwnerIndex } from "./owner-index.ts";
import type {
  ExpectedTargetKinds,
  KindInNamespace,
  KnownObject,
  ResourceCache,
  ResourceEvent,
  UnavailableApi,
} from "./resource-cache.ts";
import { TargetKeys } from "./target-keys.ts";
import type { KindFilter } from "./watchable.ts";
import { type WatchedKind, WatchedKinds } from "./watched-kinds.ts";

/**
 * Keeps the objects of a cluster in memory. Its input is lists and watches (kind-watcher) and the responses
 * to our own writes; kind-store and own-writes bring both into one order. Its output is objects by key, kind,
 * namespace, label, and owner, and an event for each change. Discovery tells which kinds exist, and
 * api-changes notices when that changes. Targets are held whole; of all other objects, object-holder keeps
 * what somebody may need (slim-object), owner-index who owns them, and bodies reads the rest of an object that
 * becomes a target. While targets are only expected (expected-kinds), everything that may be one is held whole.
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
  /** Their health rules judge the objects before the built-in ones do; give the engine the same. */
  readonly overrides?: ResourceOverrides;
  /**
   * Kinds whose managed objects are received whole, so that their health is known even if they aren't targets;
   * by default, all that may have a health. They're still held slim.
   */
  readonly managedHealth?: (kind: GroupKind) => boolean;
}

/** A resource cache that is started once and stopped once. */
export interface ClusterCache extends ResourceCache, AsyncDisposable {
  /** The object in the form in which it's held; undefined if it doesn't exist or isn't watched. */
  held(key: ResourceKey): HeldObject | undefined;
  /**
   * The held objects that an object owns, by owner references or by ownership that Kubernetes doesn't record.
   */
  childrenOf(owner: HeldObject): readonly HeldObject[];
  /** The health of any object, by the rules of the cache; undefined if it has none. */
  healthOf(object: KubeObject): Health | undefined;
  /** Starts to follow which kinds the server has. */
  start(): void;
  /** Ends all watches; resolves when none is left. Held objects can still be read. */
  stop(): Promise<void>;
}

/**
 * How much of the lists is held whole before the targets are known, as received: enough for 10,000 ordinary objects.
 */
const mostExpectedBytes = 32 * 1024 * 1024;

const unlisted: KnownObject = { kind: "unlisted" };
const absent: KnownObject = { kind: "absent" };

/** Creates a cache that is empty until kinds are requested. */
export function createClusterCache(options: ClusterCacheOptions): ClusterCache {
  return new WatchedCache(options);
}

class WatchedCache implements ClusterCache {
  readonly #options: ClusterCacheOptions;
  readonly #kinds: WatchedKinds;
  readonly #listeners = new Listeners<(event: ResourceEvent) => void>();
  readonly #owners = new OwnerIndex();
  readonly #targets = new TargetKeys();
  readonly #expected: ExpectedKinds;
  #changes: ApiChanges | undefined;
  #unavailable: readonly UnavailableApi[] = [];
  #watchesManaged = false;
  #stopped = false;

  constructor(options: ClusterCacheOptions) {
    this.#options = options;
    const {
      client,
      clock,
      logger,
      namespaces,
      managedLabel,
      excludes,
      overrides = {},
      managedHealth = (kind: GroupKind) =>
        mayHaveHealth(kind) || overrideFor(overrides, kind).health !== undefined,
    } = options;
    this.#expected = new ExpectedKinds(mostExpectedBytes);
    this.#kinds = new WatchedKinds({
      client,
      clock,
      logger,
      namespaces,
      managedLabel,
      excludes,
      managedHealth,
      holder: new ObjectHolder(managedLabel, (object) => this.healthOf(object)),
      targets: this.#targets,
      expected: this.#expected,
      owners: this.#owners,
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
    this.#expected.hurry(kinds);
    await this.#watch(kinds, "whole", signal);
  }

  async watchKinds(kinds: readonly GroupKind[], signal: AbortSignal): Promise<void> {
    this.#expected.hurry(kinds);
    await this.#watch(kinds, "all", signal);
  }

  async setTargets(unit: string, targets: readonly ResourceKey[], signal: AbortSignal): Promise<void> {
    for (const key of this.#targets.set(unit, targets)) {
      this.#kinds.get(key)?.store.slim(key.namespace, key.name);
    }
    this.#endExpectation(unit);
    const kinds = [...new Map(targets.map((key) => [`${key.group}/${key.kind}`, key])).values()];
    this.#expected.hurry(kinds);
    await this.#watch(kinds, "all", signal);
    await this.#readBodies(targets, signal);
  }

  expectTargets(unit: string): ExpectedTargetKinds {
    const ending = new AbortController();
    this.#expected.begin(unit);
    return {
      add: (kind) => {
        const isListed = this.isHeld({ group: kind.group, kind: kind.kind });
        if (!ending.signal.aborted && !isListed && this.#expected.add(unit, kind)) {
          this.#watch([kind], "all", ending.signal).catch(() => undefined);
        }
      },
      [Symbol.dispose]: () => {
        ending.abort();
        this.#endExpectation(unit);
      },
    };
  }

  async watchManaged(signal: AbortSignal): Promise<void> {
    if (this.#options.managedLabel === undefined) {
      return;
    }
    this.#watchesManaged = true;
    await orAborted(this.#follow(), signal);
    const watchers = [...this.#kinds.all()].map(({ watcher }) => watcher);
    this.#expected.hurry(watchers.map(({ resource }) => resource));
    const settled = watchers.map((watcher) => watcher.settled());
    await orAborted(Promise.all(settled), signal);
  }

  held(key: ResourceKey): HeldObject | undefined {
    return this.#kinds.get(key)?.store.get(key.namespace, key.name);
  }

  find(key: ResourceKey): KnownObject {
    const known = this.#kinds.get(key);
    if (known === undefined || known.extent === "managed" || !known.watcher.isListed(key.namespace)) {
      return unlisted;
    }
    const held = known.store.get(key.namespace, key.name);
    return held === undefined ? absent : { kind: held.isWhole ? "whole" : "slim", object: held.object };
  }

  get(key: ResourceKey): KubeObject | undefined {
    return this.held(key)?.object;
  }

  isHeld({ namespace, name, ...kind }: KindInNamespace): boolean {
    const known = this.#kinds.get(kind);
    return (
      known !== undefined &&
      known.extent !== "managed" &&
      known.watcher.isListed(namespace) &&
      (name === undefined || known.store.get(namespace ?? "", name)?.isWhole !== false)
    );
  }

  *list(kind: GroupKind, namespace?: string): IterableIterator<KubeObject> {
    const known = this.#kinds.get(kind);
    for (const { object, isWhole } of known?.extent === "whole" ? known.store.list(namespace) : []) {
      if (isWhole) {
        yield object;
      }
    }
  }

  *managed(): IterableIterator<KubeObject> {
    const { managedLabel } = this.#options;
    if (managedLabel === undefined) {
      return;
    }
    for (const { store } of this.#kinds.managed()) {
      for (const { object } of store.list()) {
        if (isManaged(object, managedLabel)) {
          yield object;
        }
      }
    }
  }

  mayBeManaged(kind: GroupKind): boolean {
    return this.#kinds.get(kind)?.mayBeManaged !== false;
  }

  unavailable(): readonly UnavailableApi[] {
    return this.#unavailable;
  }

  childrenOf(owner: HeldObject): readonly HeldObject[] {
    return this.#owners.childrenOf(owner);
  }

  healthOf(object: KubeObject): Health | undefined {
    const { overrides = {} } = this.#options;
    return healthOf(object, overrideFor(overrides, gvkOf(object)).health);
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
    const isOurs = managedLabel !== undefined && isManaged(object, managedLabel);
    if (kind.extent !== "managed" || isOurs) {
      this.#emit(kind.store.wrote(object));
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

  async #watch(kinds: readonly GroupKind[], extent: "all" | "whole", signal: AbortSignal): Promise<void> {
    kinds.forEach((kind) => this.#kinds.request(kind, extent));
    await Promise.all(kinds.map((kind) => this.#watchKind(kind, extent, signal)));
  }

  async #watchKind(kind: GroupKind, extent: "all" | "whole", signal: AbortSignal): Promise<void> {
    const known = this.#kinds.get(kind);
    if (known?.extent === "whole" || known?.extent === extent) {
      return orAborted(known.watcher.settled(), signal);
    }
    const served = await orAborted(this.#options.discovery.kindOf(kind), signal);
    await orAborted(this.#noteUnavailable(), signal);
    const watched = served && this.#kinds.watchRequested(served);
    if (watched !== undefined) {
      await orAborted(watched.watcher.settled(), signal);
    }
  }

  /** What has arrived for a unit's targets and isn't a target of any becomes slim. */
  #endExpectation(unit: string): void {
    for (const kind of this.#expected.end(unit)) {
      this.#kinds.get(kind)?.store.slimAll();
    }
  }

  /** Reads the bodies of targets that are held slim. */
  async #readBodies(targets: readonly ResourceKey[], signal: AbortSignal): Promise<void> {
    const slim = targets.filter((key) => this.held(key)?.isWhole === false);
    const { client } = this.#options;
    const onEvents = (events: readonly ResourceEvent[]): void => this.#emit(events);
    const reads = [...Map.groupBy(slim, (key) => this.#kinds.get(key))].flatMap(([kind, missing]) =>
      kind === undefined || kind.extent === "managed"
        ? []
        : [readBodies(missing, { client, kind, onEvents, signal })],
    );
    await Promise.all(reads);
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
    await this.#noteUnavailable();
    // The server may answer after the cache was stopped.
    if (this.#stopped) {
      return;
    }
    this.#kinds.follow(served);
    for (const kind of this.#watchesManaged ? served : []) {
      this.#kinds.watchManaged(kind);
    }
  }

  async #noteUnavailable(): Promise<void> {
    this.#unavailable = (await this.#options.discovery.all()).failures;
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
