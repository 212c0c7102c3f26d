import { type Clock, invariant, type Logger } from "@weir/base";
import { type ApiResource, apiVersionOf, type GroupKind } from "@weir/kube";
import type { RestClient, ServedKind } from "@weir/kube/rest";
import type { ExpectedKinds } from "./expected-kinds.ts";
import { FailureLog } from "./failure-log.ts";
import { KindStore } from "./kind-store.ts";
import { KindWatcher } from "./kind-watcher.ts";
import { type ManagedLabel, selectorOf } from "./managed-label.ts";
import type { ObjectHolder } from "./object-holder.ts";
import type { OwnerIndex } from "./owner-index.ts";
import type { ResourceEvent } from "./resource-cache.ts";
import type { TargetKeys } from "./target-keys.ts";
import { isOtherResource, isWatchable, type KindFilter, managedVersionOf } from "./watchable.ts";

/** The dependencies that all watched kinds share. */
export interface WatchedKindsOptions {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[];
  /** Selects the objects of kinds of which not all objects are watched. */
  readonly managedLabel: ManagedLabel | undefined;
  readonly excludes: KindFilter;
  readonly managedHealth: (kind: GroupKind) => boolean;
  readonly holder: ObjectHolder;
  readonly targets: TargetKeys;
  readonly expected: ExpectedKinds;
  readonly owners: OwnerIndex;
  readonly onEvents: (events: readonly ResourceEvent[]) => void;
  /** Called when the server no longer serves a kind. */
  readonly onGone: () => void;
}

/**
 * What is watched of a kind, from less to more: the managed objects; all objects; all objects, and each is
 * held whole.
 */
export type Extent = "managed" | "all" | "whole";

/**
 * Of a kind whose targets are expected, so many objects are requested at a time: each page costs a round trip while the
 * manifests are read, and what is held whole doesn't become garbage.
 */
const expectedPageSize = 500;

const extents: readonly Extent[] = ["managed", "all", "whole"];

/** One watched kind: its known objects, and the watcher that keeps them up to date. */
export interface WatchedKind {
  readonly store: KindStore;
  readonly watcher: KindWatcher;
  readonly extent: Extent;
  /** False: none of its objects is managed, whatever their labels. */
  readonly mayBeManaged: boolean;
  /** Its position among the server's kinds. */
  readonly place: number;
}

/**
 * The watched kinds, each in one version. This class alone decides which of them may have managed objects,
 * whenever it learns something about a kind, so that the answer doesn't depend on how a kind came to be
 * watched.
 */
export class WatchedKinds {
  readonly #options: WatchedKindsOptions;
  readonly #failures: FailureLog;
  readonly #kinds = new Map<string, WatchedKind>();
  /** What was requested of kinds, whether or not they are served. */
  readonly #requested = new Map<string, Extent>();
  /** Watchers that were replaced or dropped and are still stopping. */
  readonly #leaving = new Set<Promise<void>>();
  #stopped = false;

  constructor(options: WatchedKindsOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.logger, options.clock);
  }

  get(kind: GroupKind): WatchedKind | undefined {
    return this.#kinds.get(textOf(kind));
  }

  all(): Iterable<WatchedKind> {
    return this.#kinds.values();
  }

  /** The kinds that may have managed objects, in the server's order. */
  managed(): readonly WatchedKind[] {
    return [...this.#kinds.values()]
      .filter(({ mayBeManaged }) => mayBeManaged)
      .sort((one, other) => one.place - other.place);
  }

  /** From now on, a kind is watched to at least this extent as soon as it's known to be served. */
  request(kind: GroupKind, extent: "all" | "whole"): void {
    const requested = larger(extent, this.#requested.get(textOf(kind)) ?? extent);
    this.#requested.set(textOf(kind), requested);
  }

  /** Watches a kind as requested, in its preferred version; undefined if that version can't be watched. */
  watchRequested(served: ServedKind): WatchedKind | undefined {
    const [resource] = served.versions;
    const extent = this.#requested.get(textOf(resource));
    return extent !== undefined && isWatchable(resource) ? this.#watch(served, resource, extent) : undefined;
  }

  /** Watches at least the managed objects of a kind, unless it can't have any. */
  watchManaged(served: ServedKind): void {
    if (this.watchRequested(served) !== undefined) {
      return;
    }
    const resource = managedVersionOf(served, this.#options.excludes);
    if (resource !== undefined) {
      this.#watch(served, resource, "managed");
    }
  }

  /**
   * Applies the current discovery result: drops kinds that are gone and restarts watches of kinds that
   * changed.
   */
  follow(kinds: readonly ServedKind[]): void {
    const served = new Map(kinds.map((kind) => [textOf(kind.versions[0]), kind]));
    for (const [name, known] of this.#kinds) {
      const kind = served.get(name);
      if (kind === undefined || !this.#canGoOn(known, kind)) {
        this.#kinds.delete(name);
        this.#retire(known.watcher);
        this.#options.onEvents(known.store.clear());
      } else if (known.extent === "managed") {
        this.watchManaged(kind);
      } else {
        this.watchRequested(kind);
      }
    }
  }

  /** Logs a failure that doesn't concern a particular kind. */
  failed(what: string, error: Error): void {
    this.#failures.failed(what, error);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#kinds.values()].map(({ watcher }) => watcher.stop()));
    await Promise.all(this.#leaving);
    this.#failures.close();
  }

  #canGoOn({ extent }: WatchedKind, kind: ServedKind): boolean {
    return extent === "managed"
      ? managedVersionOf(kind, this.#options.excludes) !== undefined
      : isWatchable(kind.versions[0]);
  }

  /** Watches a kind, unless it's already watched in the same version and to at least that extent. */
  #watch(served: ServedKind, resource: ApiResource, least: Extent): WatchedKind {
    const known = this.get(resource);
    const extent = larger(least, known?.extent ?? least);
    const isSameResource = known !== undefined && !isOtherResource(known.watcher.resource, resource);
    const isAsBefore = isSameResource && known.extent === extent;
    invariant(isAsBefore || !this.#stopped, "the cluster cache is stopped");
    if (known !== undefined && !isAsBefore) {
      this.#retire(known.watcher);
    }
    // Known objects stay until the new list is complete.
    const store = known?.store ?? this.#store(resource);
    // If all objects were known before, none is missing while the new list adds what's missing of them.
    const listed = isSameResource && known.extent !== "managed" ? known.watcher.listed : [];
    const kind = {
      store,
      extent,
      watcher: isAsBefore ? known.watcher : this.#watcher(resource, { extent, store, listed }),
      mayBeManaged: managedVersionOf(served, this.#options.excludes) !== undefined,
      place: served.place,
    };
    this.#kinds.set(textOf(resource), kind);
    return kind;
  }

  #store(kind: GroupKind): KindStore {
    const { holder, owners, targets, expected } = this.#options;
    const name = textOf(kind);
    const { group, kind: kindName } = kind;
    return new KindStore({
      holder,
      owners,
      isWanted: (namespace, objectName) =>
        this.#requested.get(name) === "whole" ||
        targets.has({ group, kind: kindName }, namespace, objectName) ||
        expected.holds(kind),
    });
  }

  #watcher(
    resource: ApiResource,
    { extent, store, listed }: Pick<WatchedKind, "extent" | "store"> & { readonly listed: Iterable<string> },
  ): KindWatcher {
    const { client, clock, namespaces, managedLabel, managedHealth, expected, onEvents, onGone } =
      this.#options;
    const name = `${apiVersionOf(resource.group, resource.version)}/${resource.kind}`;
    const isPartial = extent === "managed" && managedLabel !== undefined;
    return new KindWatcher({
      client,
      clock,
      resource,
      namespaces,
      ...(isPartial ? { labelSelector: selectorOf(managedLabel) } : {}),
      receives: isPartial && !managedHealth(resource) ? "metadata" : "whole",
      store,
      listed,
      afterPage: (bytes) => expected.afterPage(resource, bytes),
      pageSize: () => (expected.holds(resource) ? expectedPageSize : undefined),
      onEvents,
      onFailure: (error) => this.#failures.failed(name, error),
      onRecovery: () => this.#failures.recovered(name),
      onGone,
    });
  }

  #retire(watcher: KindWatcher): void {
    const left = watcher.stop().finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }
}

function larger(one: Extent, other: Extent): Extent {
  return extents.indexOf(one) >= extents.indexOf(other) ? one : other;
}

function textOf(kind: GroupKind): string {
  return `${kind.group}/${kind.kind}`;
}
