import type { Clock } from "../../base/clock.ts";
import { invariant } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { ApiResource } from "../../kube/api-resource.ts";
import type { RestClient } from "../../kube/client/rest.ts";
import { apiVersionOf, type GroupKind } from "../../kube/gvk.ts";
import { FailureLog } from "./failure-log.ts";
import { KindStore } from "./kind-store.ts";
import { KindWatcher } from "./kind-watcher.ts";
import { type ManagedLabel, selectorOf } from "./managed-label.ts";
import type { ResourceEvent } from "./resource-cache.ts";
import { isOtherResource, isWatchable } from "./watchable.ts";

/** What all kinds are watched with. */
export interface WatchedKindsOptions {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[];
  /** By which the objects of a kind that is not watched whole are chosen. */
  readonly managedLabel: ManagedLabel | undefined;
  readonly onEvents: (events: readonly ResourceEvent[]) => void;
  /** The server says that it does not serve a kind which it served. */
  readonly onGone: () => void;
}

/** One kind: what is known of it, and who keeps it fresh. */
export interface WatchedKind {
  readonly store: KindStore;
  readonly watcher: KindWatcher;
  /** False: only the labelled objects, as metadata. */
  readonly whole: boolean;
}

/** The kinds that are watched, each in one version. */
export class WatchedKinds {
  readonly #options: WatchedKindsOptions;
  readonly #failures: FailureLog;
  readonly #kinds = new Map<string, WatchedKind>();
  /** Watchers that were replaced or dropped, and are on their way out. */
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

  /** Watches a kind, unless it is watched already, as much of it at least and in the same version. */
  watch(resource: ApiResource, whole: boolean): WatchedKind {
    const known = this.get(resource);
    const enough = known !== undefined && (known.whole || !whole);
    if (enough && !isOtherResource(known.watcher.resource, resource)) {
      return known;
    }
    invariant(!this.#stopped, "the cluster cache is stopped");
    if (known !== undefined) {
      this.#retire(known.watcher);
    }
    // What is known already stays until the new list is in.
    const store = known?.store ?? new KindStore();
    const kind = { store, whole, watcher: this.#watcher(resource, whole, store) };
    this.#kinds.set(textOf(resource), kind);
    return kind;
  }

  /** Goes by what is served now: drops what is gone, and watches anew what is served otherwise. */
  follow(served: readonly ApiResource[]): void {
    const resources = new Map(served.map((resource) => [textOf(resource), resource]));
    for (const [name, kind] of this.#kinds) {
      const resource = resources.get(name);
      if (resource === undefined || !isWatchable(resource)) {
        this.#kinds.delete(name);
        this.#retire(kind.watcher);
        this.#options.onEvents(kind.store.clear());
      } else {
        this.watch(resource, kind.whole);
      }
    }
  }

  /** Something failed that is not of one kind. */
  failed(what: string, error: Error): void {
    this.#failures.failed(what, error);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#kinds.values()].map(({ watcher }) => watcher.stop()));
    await Promise.all(this.#leaving);
    this.#failures.close();
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
