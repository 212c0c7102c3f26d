import type { Clock } from "@weir/base";
import { type ApiResource, isApiReason } from "@weir/kube";
import { ConnectionError, isRefused, type ListWatchEvent, listWatch, type RestClient } from "@weir/kube/rest";
import type { KindStore } from "./kind-store.ts";
import type { ResourceEvent } from "./resource-cache.ts";

/** What a kind is watched with, and who is told. */
export interface KindWatch {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly resource: ApiResource;
  /** Empty: all namespaces. Kinds that have no namespace do not care. */
  readonly namespaces: readonly string[];
  /** Only objects with that label are watched, and only their metadata; absent: all, whole. */
  readonly labelSelector?: string;
  readonly store: KindStore;
  readonly onEvents: (events: readonly ResourceEvent[]) => void;
  readonly onFailure: (error: Error) => void;
  /** The server answered after a failure. */
  readonly onRecovery: () => void;
  /** The server does not serve the kind any more. */
  readonly onGone: () => void;
}

/** So many failures in a row of a server that answers are no passing weakness. */
const patience = 3;

/** Keeps the store of one kind as the cluster is: one list-watch, or one for each allowed namespace. */
export class KindWatcher {
  readonly resource: ApiResource;
  readonly #watch: KindWatch;
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[];
  /** What is watched: allowed namespaces, or "" for all there is. */
  readonly #scopes: readonly string[];
  /** The scopes of which everything is known. */
  readonly #listed = new Set<string>();
  readonly #settled: Promise<unknown>;

  /** Starts at once. */
  constructor(watch: KindWatch) {
    this.#watch = watch;
    this.resource = watch.resource;
    const everywhere = !watch.resource.namespaced || watch.namespaces.length === 0;
    this.#scopes = everywhere ? [""] : watch.namespaces;
    const settled = this.#scopes.map(() => Promise.withResolvers<undefined>());
    this.#settled = Promise.all(settled.map(({ promise }) => promise));
    this.#loops = this.#scopes.map((scope, i) => this.#run(scope, () => settled[i]?.resolve(undefined)));
  }

  /** True where all of the kind is known; where a namespace is given, all of it there. */
  isListed(namespace?: string): boolean {
    return namespace === undefined || this.#scopes.includes("")
      ? this.#listed.size === this.#scopes.length
      : this.#listed.has(namespace);
  }

  /** Resolves when every list is in, or was answered by something that waiting does not mend soon. */
  async settled(): Promise<void> {
    await this.#settled;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }

  async #run(scope: string, settle: () => void): Promise<void> {
    const { client, clock, resource, labelSelector } = this.#watch;
    const { signal } = this.#stopping;
    const only = labelSelector === undefined ? {} : { labelSelector, metadataOnly: true };
    let moment = 0;
    let failures = 0;
    for await (const event of listWatch({ client, clock, resource, namespace: scope, signal, ...only })) {
      if (signal.aborted) {
        break;
      }
      if (event.kind === "listing") {
        moment = this.#watch.store.listing();
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
    event: Exclude<ListWatchEvent, { readonly kind: "listing" | "failed" }>,
    moment: number,
    scope: string,
  ): readonly ResourceEvent[] {
    const { store } = this.#watch;
    switch (event.kind) {
      case "listed":
        return store.listed(event.objects, moment, scope === "" ? undefined : scope);
      case "changed":
        return store.changed(event.object);
      case "deleted":
        return store.deleted(event.object);
    }
  }

  #fail(error: Error, scope: string): void {
    this.#watch.onFailure(error);
    if (isRefused(error)) {
      // What was known of it is not kept fresh any more.
      this.#listed.delete(scope);
    }
    if (isApiReason(error, "NotFound")) {
      this.#watch.onGone();
    }
  }
}

/**
 * True where nobody should wait longer: the kind is refused, or the server answers and fails each time. A server
 * that cannot be reached is waited for.
 */
function isHopeless(error: Error, failures: number): boolean {
  return isRefused(error) || (!(error instanceof ConnectionError) && failures >= patience);
}
