import { JsonReader, toError } from "@weir/base";
import type { ApiResource } from "@weir/kube";
import { isRefused, listWatchAs, type RestClient } from "@weir/kube/rest";
import type { LogWorld } from "./container-log.ts";
import { explained } from "./errors.ts";
import { Follower, type FollowerWorld } from "./follower.ts";
import { Owners } from "./owners.ts";
import { type PodView, podView } from "./pod.ts";
import type { Wanted } from "./query.ts";
import { chosenContainers, requireContainer } from "./selection.ts";
import { StreamSlots } from "./stream-slots.ts";
import { getObject, type LoggedWorkload } from "./workload.ts";

/** The resource of pods. */
export const pods: ApiResource = {
  group: "",
  version: "v1",
  kind: "Pod",
  resource: "pods",
  namespaced: true,
  verbs: ["list", "watch"],
};

/** How often to ask whether a Job whose pods have ended is finished. */
const jobPollMs = 1_000;

/** What to follow. */
export interface FollowOptions {
  readonly workload: LoggedWorkload;
  readonly wanted: Wanted;
  readonly container: string;
  readonly streams: number;
}

/**
 * Prints the logs of a workload's pods as they grow, also of pods that start later. Resolves when a Job has ended; for
 * other workloads, only the signal ends it. Rejects with LogsError.
 */
export async function followLogs(
  options: FollowOptions,
  world: LogWorld,
  signal: AbortSignal,
): Promise<void> {
  await new Following(options, world, signal).run();
}

/** The job has ended, and all of its log was printed. */
class FinishedError extends Error {
  override readonly name = "FinishedError";
}

class Following {
  readonly #options: FollowOptions;
  readonly #world: FollowerWorld;
  readonly #signal: AbortSignal;
  readonly #ending = new AbortController();
  readonly #owners: Owners;
  /** By the UID of the pod and the name of the container. */
  readonly #followers = new Map<string, Follower>();
  readonly #seen = new Map<string, PodView>();
  #running = 0;

  constructor(options: FollowOptions, world: LogWorld, signal: AbortSignal) {
    const tellFull = (): void =>
      world.printer.tell(
        `There are more than ${options.streams} containers: the logs of the others follow when one of these ends. Use -c for one container of each pod, or a higher --max-log-requests.`,
      );
    this.#options = options;
    this.#world = { ...world, slots: new StreamSlots(options.streams, tellFull) };
    this.#signal = signal;
    this.#owners = new Owners(world.client, options.workload);
  }

  async run(): Promise<void> {
    const { signal } = this.#ending;
    const stop = (): void => this.#ending.abort(this.#signal.reason);
    this.#signal.addEventListener("abort", stop, { once: true });
    try {
      this.#signal.throwIfAborted();
      await this.#watch(signal);
      signal.throwIfAborted();
    } catch (error) {
      if (!(signal.reason instanceof FinishedError)) {
        throw signal.aborted ? toError(signal.reason) : error;
      }
    } finally {
      this.#signal.removeEventListener("abort", stop);
      this.#ending.abort();
      this.#world.printer.flush();
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, clock, printer } = this.#world;
    const { namespace, podSelector: labelSelector } = this.#options.workload;
    const options = { client, clock, resource: pods, namespace, labelSelector, signal };
    let isFirst = true;
    for await (const event of listWatchAs(options, podView)) {
      switch (event.kind) {
        case "listing":
          break;
        case "listed":
          await this.#listed(event.objects, isFirst);
          isFirst = false;
          break;
        case "changed":
          await this.#changed(event.object, true);
          break;
        case "deleted":
          this.#gone(event.object);
          break;
        case "failed":
          if (isRefused(event.error)) {
            throw explained(event.error, { right: isFirst ? "list pods" : "watch pods", namespace });
          }
          printer.tell(`cannot watch the pods, retrying: ${event.error.message}`);
      }
    }
  }

  async #listed(list: readonly PodView[], isFirst: boolean): Promise<void> {
    const present = new Set(list.map(({ uid }) => uid));
    for (const pod of this.#seen.values()) {
      if (!present.has(pod.uid)) {
        this.#gone(pod);
      }
    }
    for (const pod of list) {
      await this.#changed(pod, !isFirst);
    }
    if (isFirst) {
      requireContainer([...this.#seen.values()], this.#options.container);
      if (this.#seen.size === 0) {
        this.#world.printer.tell(`Waiting for pods of ${this.#options.workload.id}.`);
        this.#checkJob();
      }
    }
  }

  /** Of a pod that is new, everything is printed; of one that was there at the beginning, what is wanted. */
  async #changed(pod: PodView, isNew: boolean): Promise<void> {
    const { signal } = this.#ending;
    if (!this.#seen.has(pod.uid) && !(await this.#owners.owns(pod, signal))) {
      return;
    }
    this.#seen.set(pod.uid, pod);
    const state = { isOver: pod.isOver, isGone: false };
    for (const view of chosenContainers(pod, this.#options.container)) {
      const key = `${pod.uid}/${view.name}`;
      const known = this.#followers.get(key);
      if (known !== undefined) {
        known.update(view, state, signal);
        continue;
      }
      const { wanted } = this.#options;
      const source = { namespace: pod.namespace, pod: pod.name, container: view.name };
      const followed = { source, wanted: isNew ? { ...wanted, tail: undefined } : wanted, view, state };
      const follower = new Follower(this.#world, followed);
      this.#followers.set(key, follower);
      this.#start(follower);
    }
  }

  #gone(pod: PodView): void {
    if (!this.#seen.delete(pod.uid)) {
      return;
    }
    for (const view of chosenContainers(pod, this.#options.container)) {
      const key = `${pod.uid}/${view.name}`;
      this.#followers.get(key)?.update(view, { isOver: true, isGone: true }, this.#ending.signal);
      this.#followers.delete(key);
    }
  }

  #start(follower: Follower): void {
    this.#running += 1;
    follower
      .run(this.#ending.signal)
      .finally(() => (this.#running -= 1))
      .then(
        () => this.#checkJob(),
        (error: unknown) => this.#ending.abort(error),
      );
  }

  /** Ends when no log is left to follow, and the workload is a Job that has ended. */
  #checkJob(): void {
    if (this.#options.workload.resource.kind === "Job" && this.#running === 0) {
      this.#awaitJob().catch((error: unknown) => this.#ending.abort(error));
    }
  }

  async #awaitJob(): Promise<void> {
    const { client, clock } = this.#world;
    const { signal } = this.#ending;
    while (this.#running === 0) {
      if (await isFinishedJob(client, this.#options.workload, signal)) {
        this.#ending.abort(new FinishedError("the job has ended"));
      }
      await clock.sleep(jobPollMs, signal);
    }
  }
}

/** True for a Job that has completed or failed, or that was deleted. */
async function isFinishedJob(
  client: RestClient,
  workload: LoggedWorkload,
  signal: AbortSignal,
): Promise<boolean> {
  const job = await getObject(client, workload, signal);
  const status = new JsonReader(job?.status ?? null, "status");
  const conditions = status.list("conditions", (value, path) => new JsonReader(value, path)) ?? [];
  return (
    job === undefined ||
    conditions.some(
      (condition) =>
        ["Complete", "Failed"].includes(condition.text("type")) && condition.text("status") === "True",
    )
  );
}
