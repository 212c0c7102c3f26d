import { type BackoffPolicy, backoffDelay, type Clock, toError } from "@weir/base";
import type { ApiResource, GroupKind } from "@weir/kube";
import { type Discovery, listWatch, type RestClient } from "@weir/kube/rest";

/** What changes of the API are noticed with. */
export interface ApiChangesOptions {
  readonly client: RestClient;
  readonly discovery: Discovery;
  readonly clock: Clock;
  /** Discovery is going to ask the server again: time to look at what it says. */
  readonly onChange: () => Promise<void>;
}

/** The kinds whose objects say which kinds there are. */
const sources: readonly GroupKind[] = [
  { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" },
  { group: "apiregistration.k8s.io", kind: "APIService" },
];

/**
 * Discovery tells of a change some time after the object that made it has changed, and nothing says when: so it
 * is asked several times, over the span in which API servers catch up.
 */
const lag: BackoffPolicy = { initialMs: 100, maxMs: 10_000, factor: 2.5, jitter: 0 };
const looks = 6;
/** Without any sign, which is also where neither kind may be watched, it is asked so often. */
const idleMs = 300_000;

/** Follows which kinds the server has. */
export class ApiChanges {
  readonly #options: ApiChangesOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;
  #looked = looks;
  #woken = new AbortController();

  /** Starts at once. */
  constructor(options: ApiChangesOptions) {
    this.#options = options;
    this.#running = Promise.allSettled([...sources.map((source) => this.#watch(source)), this.#look()]);
  }

  /** Something changed: looks soon, and then again. */
  note(): void {
    this.#looked = 0;
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
    for await (const event of listWatch({
      client,
      clock,
      resource,
      namespace: "",
      metadataOnly: true,
      signal,
    })) {
      lists += event.kind === "listed" ? 1 : 0;
      const news =
        event.kind === "changed" || event.kind === "deleted" || (event.kind === "listed" && lists > 1);
      if (news) {
        this.note();
      }
    }
  }

  /** The resource of a kind, as soon as the server can be asked and serves it. */
  async #served(source: GroupKind): Promise<ApiResource> {
    const { clock, discovery } = this.#options;
    for (let failures = 1; ; failures += 1) {
      const answer = await discovery.resourceOf(source).catch(toError);
      if (answer !== undefined && !(answer instanceof Error)) {
        return answer;
      }
      const ms = answer === undefined ? idleMs : backoffDelay(lag, failures);
      await clock.sleep(ms, this.#stopping.signal);
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
      // Woken up, it waits anew, so that many changes in a row make one look.
      if (waited) {
        this.#looked += 1;
        discovery.invalidate();
        await onChange();
      }
    }
  }
}
