import { orAborted, type Unsubscribe } from "@weir/base";
import { type KubeObject, printKey, type ResourceKey } from "@weir/kube";
import type { ResourceCache } from "../cache/resource-cache.ts";
import { deletionHealth } from "../health/deletion.ts";
import { healthOf } from "../health/health.ts";
import { type Health, type HealthRule, health } from "../health/health-status.ts";
import type { Sighting } from "../operations/follow.ts";
import { isDeletion, type SyncTask } from "../plan/task.ts";

/** The dependencies of LiveHealth. */
export interface LiveHealthOptions {
  readonly cache: Pick<ResourceCache, "get" | "isHeld" | "subscribe">;
  /** Yields the successive states of an object that the cache doesn't hold. */
  readonly follow: (object: KubeObject, signal: AbortSignal) => AsyncIterable<Sighting>;
  /** A custom rule for a kind. */
  readonly ruleFor: (key: ResourceKey) => HealthRule | undefined;
}

/** The object that is followed for a task; undefined as UID: whichever has the name. */
interface Expected {
  readonly uid: string | undefined;
  /** True if only its end matters. */
  readonly isGoing: boolean;
}

/**
 * The health of the objects of a sync's tasks, while the sync waits for them. Objects in the cache are read
 * there; all other objects, and every hook, get their own watch. A hook's result is final: it stands even if
 * the hook's object is deleted right after.
 */
export class LiveHealth {
  readonly #options: LiveHealthOptions;
  readonly #ended = new AbortController();
  readonly #healths = new Map<string, Health | undefined>();
  readonly #expected = new Map<string, Expected>();
  readonly #awaited = new Set<string>();
  readonly #followed = new Map<string, AbortController>();
  readonly #following = new Set<Promise<void>>();
  #unsubscribe: Unsubscribe | undefined;
  #news = Promise.withResolvers<true>();

  constructor(options: LiveHealthOptions) {
    this.#options = options;
  }

  /** Records the state in which a task left its object. */
  note(task: SyncTask, live: KubeObject | undefined): void {
    if (live !== undefined && this.#isFollowed(task)) {
      this.#expect(task, { uid: live.metadata.uid, isGoing: false });
      this.#healths.set(task.id, this.#judge(task.key, live));
    }
  }

  /** A task's object was created earlier, and hasn't been seen since. */
  expect(task: SyncTask, uid: string): void {
    this.#expect(task, { uid, isGoing: false });
  }

  /** An object with the name of the task's object is being deleted: it's Progressing, and then Missing. */
  expectGone(task: SyncTask, live: KubeObject | undefined): void {
    this.#expect(task, { uid: live?.metadata.uid, isGoing: true });
    this.#healths.set(task.id, health("Progressing"));
  }

  /** The current health of a task's object; undefined if its kind has none. */
  healthOf(task: SyncTask): Health | undefined {
    if (isDeletion(task)) {
      return deletionHealth(task.live, this.#options.cache.get(task.key));
    }
    if (this.#isFollowed(task)) {
      return this.#healths.has(task.id) ? this.#healths.get(task.id) : health("Progressing");
    }
    const live = this.#options.cache.get(task.key);
    return live === undefined ? health("Missing") : this.#judge(task.key, live);
  }

  /**
   * Resolves when an object of these tasks may have changed; immediately for tasks that weren't waited for
   * before.
   */
  async changed(tasks: readonly SyncTask[], signal: AbortSignal): Promise<void> {
    const fresh = tasks.filter(({ id }) => !this.#awaited.has(id));
    for (const task of fresh) {
      this.#begin(task);
    }
    if (fresh.length === 0) {
      await orAborted(this.#news.promise, signal);
    }
  }

  /** Ends all watches. */
  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#ended.abort();
    this.#followed.forEach((followed) => followed.abort());
    await Promise.all(this.#following);
  }

  #begin(task: SyncTask): void {
    this.#awaited.add(task.id);
    if (this.#isFollowed(task)) {
      const enough = new AbortController();
      this.#followed.set(task.id, enough);
      const following = this.#follow(task, AbortSignal.any([enough.signal, this.#ended.signal]))
        .catch(() => undefined)
        .finally(() => this.#following.delete(following));
      this.#following.add(following);
    } else {
      this.#unsubscribe ??= this.#options.cache.subscribe(({ key }) => {
        if (this.#awaited.has(printKey(key))) {
          this.#wake();
        }
      });
    }
  }

  /** From now on, another object is followed for the task. */
  #expect(task: SyncTask, expected: Expected): void {
    this.#followed.get(task.id)?.abort();
    this.#followed.delete(task.id);
    this.#awaited.delete(task.id);
    this.#expected.set(task.id, expected);
    this.#healths.delete(task.id);
  }

  async #follow(task: SyncTask, signal: AbortSignal): Promise<void> {
    const object = isDeletion(task) ? task.live : task.target;
    for await (const sighting of this.#options.follow(object, signal)) {
      if (!signal.aborted && !this.#isFinal(task)) {
        this.#healths.set(task.id, this.#healthIn(task, sighting));
        this.#wake();
      }
    }
  }

  #healthIn(task: SyncTask, sighting: Sighting): Health | undefined {
    const expected = this.#expected.get(task.id);
    if (sighting.kind === "gone") {
      return health("Missing", "someone else deleted it");
    }
    const { uid } = sighting.object.metadata;
    if (expected?.uid !== undefined && uid !== undefined && uid !== expected.uid) {
      return health("Missing", "someone else replaced it");
    }
    return expected?.isGoing === true ? health("Progressing") : this.#judge(task.key, sighting.object);
  }

  #isFinal(task: SyncTask): boolean {
    const status = this.#healths.get(task.id)?.status;
    const isGoing = this.#expected.get(task.id)?.isGoing === true;
    return !isGoing && task.action === "hook" && (status === "Healthy" || status === "Degraded");
  }

  /** An object to prune was found in the cache, so the cache also sees its end. */
  #isFollowed(task: SyncTask): boolean {
    return !isDeletion(task) && (task.action === "hook" || !this.#options.cache.isHeld(task.key));
  }

  #judge(key: ResourceKey, live: KubeObject): Health | undefined {
    return healthOf(live, this.#options.ruleFor(key));
  }

  #wake(): void {
    const { resolve } = this.#news;
    this.#news = Promise.withResolvers<true>();
    resolve(true);
  }
}
