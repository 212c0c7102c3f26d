import { type BackoffPolicy, backoffDelay, type Clock, orAborted, toError } from "@weir/base";
import type { ApiResource, GroupKind } from "@weir/kube";
import { type Discovery, listWatchAs, type RestClient } from "@weir/kube/rest";

/** The dependencies of ApiChanges. */
export interface ApiChangesOptions {
  readonly client: RestClient;
  readonly discovery: Discovery;
  readonly clock: Clock;
  /** Called when the API may have changed: discovery is about to ask the server again. */
  readonly onChange: () => Promise<void>;
}

/** The kinds whose objects determine which kinds the server has. */
const sources: readonly GroupKind[] = [
  { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" },
  { group: "apiregistration.k8s.io", kind: "APIService" },
];

/**
 * Discovery reflects a change some time after the object that caused it, and the server doesn't announce
 * when. So discovery is read several times, over the period in which API servers catch up.
 */
const lag: BackoffPolicy = { initialMs: 100, maxMs: 10_000, factor: 2.5, jitter: 0 };
const looks = 6;
/** The interval without any sign of a change, and when neither source kind can be watched. */
const idleMs = 300_000;

/** Follows which kinds the server has. */
export class ApiChanges {
  readonly #options: ApiChangesOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;
  #looked = looks;
  #woken = new AbortController();

  /** Starts immediately. */
  constructor(options: ApiChangesOptions) {
    this.#options = options;
    this.#running = Promise.allSettled([...sources.map((source) => this.#watch(source)), this.#look()]);
  }

  /** Something changed: checks soon, and again later. */
  note(): void {
    this.#lookAgain(looks);
  }

  #lookAgain(times: number): void {
    this.#looked = Math.min(this.#looked, looks - times);
    this.#woken.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #watch(source: GroupKind): Promise<void> {
    const { client, clock } = this.#options;
    const { signal } = this.#stopping;
    const resource = await this.#served(source);
    let lists = 0;
    const events = listWatchAs(
      { client, clock, resource, namespace: "", metadataOnly: true, signal },
      () => undefined,
    );
    for await (const event of events) {
      lists += event.kind === "listed" ? 1 : 0;
      const news =
        event.kind === "changed" || event.kind === "deleted" || (event.kind === "listed" && lists > 1);
      if (news) {
        this.note();
      } else if (event.kind === "listed") {
        // What changed between the first discovery and this list is in neither of them.
        this.#lookAgain(1);
      }
    }
  }

  /** The resource of a kind, as soon as the server can be reached and serves the kind. */
  async #served(source: GroupKind): Promise<ApiResource> {
    const { clock, discovery } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 1; ; failures += 1) {
      const answer = await orAborted(discovery.resourceOf(source), signal).catch(toError);
      if (answer !== undefined && !(answer instanceof Error)) {
        return answer;
      }
      const ms = answer === undefined ? idleMs : backoffDelay(lag, failures);
      await clock.sleep(ms, signal);
    }
  }

  async #look(): Promise<void> {
    const { clock, discovery, onChange } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#woken = new AbortController();
      const ms = this.#looked < looks ? backoffDelay(lag, this.#looked + 1) : idleMs;
      const either = AbortSignal.any([signal, this.#woken.signal]);
      const waited = await clock.sleep(ms, either).then(
        () => true,
        () => false,
      );
      // Each change restarts the wait, so that many changes in a row cause a single check.
      if (waited) {
        this.#looked += 1;
        discovery.invalidate();
        await orAborted(onChange(), signal).catch(() => undefined);
      }
    }
  }
}
