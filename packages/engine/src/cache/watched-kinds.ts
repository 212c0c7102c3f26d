import { type Clock, invariant, type Logger } from "@weir/base";
import { type ApiResource, apiVersionOf, type GroupKind } from "@weir/kube";
import type { RestClient, ServedKind } from "@weir/kube/rest";
import { FailureLog } from "./failure-log.ts";
import { KindStore } from "./kind-store.ts";
import { KindWatcher } from "./kind-watcher.ts";
import { type ManagedLabel, selectorOf } from "./managed-label.ts";
import type { ResourceEvent } from "./resource-cache.ts";
import { isOtherResource, isWatchable, type KindFilter, managedVersionOf } from "./watchable.ts";

/** The dependencies that all watched kinds share. */
export interface WatchedKindsOptions {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[];
  /** Selects the objects of kinds that aren't watched in full. */
  readonly managedLabel: ManagedLabel | undefined;
  readonly excludes: KindFilter;
  readonly onEvents: (events: readonly ResourceEvent[]) => void;
  /** Called when the server no longer serves a kind. */
  readonly onGone: () => void;
}

/** One watched kind: its known objects, and the watcher that keeps them up to date. */
export interface WatchedKind {
  readonly store: KindStore;
  readonly watcher: KindWatcher;
  /** False: only the labeled objects, as metadata. */
  readonly whole: boolean;
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

  /** Watches all objects of a kind in its preferred version; undefined if that version can't be watched. */
  hold(served: ServedKind): WatchedKind | undefined {
    const [resource] = served.versions;
    return isWatchable(resource) ? this.#watch(served, resource, true) : undefined;
  }

  /** Watches at least the managed objects of a kind, unless it can't have any. A held kind stays held. */
  watchManaged(served: ServedKind): void {
    const resource = managedVersionOf(served, this.#options.excludes);
    if (resource !== undefined && this.get(resource)?.whole !== true) {
      this.#watch(served, resource, false);
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
      } else if (known.whole) {
        this.hold(kind);
      } else {
        this.watchManaged(kind);
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

  #canGoOn({ whole }: WatchedKind, kind: ServedKind): boolean {
    return whole
      ? isWatchable(kind.versions[0])
      : managedVersionOf(kind, this.#options.excludes) !== undefined;
  }

  /** Watches a kind, unless it's already watched in the same version and at least as completely. */
  #watch(served: ServedKind, resource: ApiResource, whole: boolean): WatchedKind {
    const known = this.get(resource);
    const isEnough = known !== undefined && (known.whole || !whole);
    const isAsBefore = isEnough && !isOtherResource(known.watcher.resource, resource);
    invariant(isAsBefore || !this.#stopped, "the cluster cache is stopped");
    if (known !== undefined && !isAsBefore) {
      this.#retire(known.watcher);
    }
    // Known objects stay until the new list is complete.
    const store = known?.store ?? new KindStore();
    const kind = {
      store,
      whole,
      watcher: isAsBefore ? known.watcher : this.#watcher(resource, whole, store),
      mayBeManaged: managedVersionOf(served, this.#options.excludes) !== undefined,
      place: served.place,
    };
    this.#kinds.set(textOf(resource), kind);
    return kind;
  }

  #watcher(resource: ApiResource, whole: boolean, store: KindStore): KindWatcher {
    const { client, clock, namespaces, managedLabel, onEvents, onGone } = this.#options;
    const name = `${apiVersionOf(resource.group, resource.version)}/${resource.kind}`;
    return new KindWatcher({
      client,
      clock,
      resource,
      namespaces,
      ...(whole || managedLabel === undefined ? {} : { labelSelector: selectorOf(managedLabel) }),
      store,
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

function textOf(kind: GroupKind): string {
  return `${kind.group}/${kind.kind}`;
}
