import type { Clock } from "@weir/base";
import { type ApiResource, isApiReason } from "@weir/kube";
import {
  ConnectionError,
  isRefused,
  type ListWatchEvent,
  listWatchAs,
  type RestClient,
} from "@weir/kube/rest";
import type { HeldObject } from "./held-object.ts";
import type { KindStore } from "./kind-store.ts";
import type { Received } from "./object-holder.ts";
import type { ResourceEvent } from "./resource-cache.ts";

/** The dependencies of a kind watcher, and its callbacks. */
export interface KindWatch {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly resource: ApiResource;
  /** Empty: all namespaces. Ignored for kinds without namespaces. */
  readonly namespaces: readonly string[];
  /** If set, only objects with that label are watched. */
  readonly labelSelector?: string;
  /** What to request of each object. */
  readonly receives: Received;
  readonly store: KindStore;
  /** The scopes whose known objects are complete before the first list, from an earlier watcher. */
  readonly listed?: Iterable<string>;
  /** Called after each page of a list with its size in bytes; the next one isn't requested until it resolves. */
  readonly afterPage: (bytes: number) => Promise<void>;
  /** How many objects to request at a time of a list that begins now; undefined for the usual number. */
  readonly pageSize: () => number | undefined;
  readonly onEvents: (events: readonly ResourceEvent[]) => void;
  readonly onFailure: (error: Error) => void;
  /** Called when the server responds after a failure. */
  readonly onRecovery: () => void;
  /** Called when the server no longer serves the kind. */
  readonly onGone: () => void;
}

/**
 * After this many failures in a row, from a server that responds, a failure no longer counts as temporary.
 */
const patience = 3;

/** Keeps the store of one kind up to date: with one list-watch, or one for each allowed namespace. */
export class KindWatcher {
  readonly resource: ApiResource;
  readonly #watch: KindWatch;
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[];
  readonly #scopes: readonly string[];
  readonly #listed: Set<string>;
  readonly #settled: Promise<unknown>;

  /** Starts immediately. */
  constructor(watch: KindWatch) {
    this.#watch = watch;
    this.resource = watch.resource;
    this.#listed = new Set(watch.listed);
    const everywhere = !watch.resource.namespaced || watch.namespaces.length === 0;
    this.#scopes = everywhere ? [""] : watch.namespaces;
    const settled = this.#scopes.map(() => Promise.withResolvers<undefined>());
    this.#settled = Promise.all(settled.map(({ promise }) => promise));
    this.#loops = this.#scopes.map((scope, i) => this.#run(scope, () => settled[i]?.resolve(undefined)));
  }

  /** True if the kind is listed completely; with a namespace, if it's listed completely there. */
  isListed(namespace?: string): boolean {
    return namespace === undefined || this.#scopes.includes("")
      ? this.#listed.size === this.#scopes.length
      : this.#listed.has(namespace);
  }

  /** The watched scopes: allowed namespaces, or "" for the whole cluster. */
  get scopes(): readonly string[] {
    return this.#scopes;
  }

  /** The scopes that are listed completely. */
  get listed(): Iterable<string> {
    return this.#listed;
  }

  /** Resolves when each list is complete or has failed in a way that waiting won't fix soon. */
  async settled(): Promise<void> {
    await this.#settled;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }

  async #run(scope: string, settle: () => void): Promise<void> {
    const { client, clock, resource, labelSelector, receives, store, afterPage, pageSize } = this.#watch;
    const { signal } = this.#stopping;
    const only = labelSelector === undefined ? {} : { labelSelector };
    const metadataOnly = receives === "metadata";
    let moment = 0;
    let failures = 0;
    const events = listWatchAs(
      { client, clock, resource, namespace: scope, signal, metadataOnly, afterPage, pageSize, ...only },
      (object) => store.take(object, receives),
    );
    for await (const event of events) {
      if (signal.aborted) {
        break;
      }
      if (event.kind === "listing") {
        moment = store.listing();
      } else if (event.kind === "failed") {
        failures += 1;
        this.#fail(event.error, scope);
        if (isHopeless(event.error, failures)) {
          settle();
        }
      } else {
        if (failures > 0) {
          failures = 0;
          this.#watch.onRecovery();
        }
        this.#watch.onEvents(this.#apply(event, moment, scope));
      }
      if (event.kind === "listed") {
        this.#listed.add(scope);
        settle();
      }
    }
    settle();
  }

  #apply(
    event: Exclude<ListWatchEvent<HeldObject>, { readonly kind: "listing" | "failed" }>,
    moment: number,
    scope: string,
  ): readonly ResourceEvent[] {
    const { store } = this.#watch;
    switch (event.kind) {
      case "listed": {
        const namespace = scope === "" ? undefined : scope;
        store.listedAt(event.resourceVersion, namespace);
        return store.listed(event.objects, moment, namespace);
      }
      case "changed":
        return store.changed(event.object);
      case "deleted":
        return store.deleted(event.object);
    }
  }

  #fail(error: Error, scope: string): void {
    this.#watch.onFailure(error);
    if (isRefused(error)) {
      // The known objects are no longer kept up to date.
      this.#listed.delete(scope);
    }
    if (isApiReason(error, "NotFound")) {
      this.#watch.onGone();
    }
  }
}

/**
 * True if waiting longer is pointless: the kind is forbidden, or the server responds but fails each time. An
 * unreachable server is waited for.
 */
function isHopeless(error: Error, failures: number): boolean {
  return isRefused(error) || (!(error instanceof ConnectionError) && failures >= patience);
}
