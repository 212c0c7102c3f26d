import { type Clock, Deadline, orAborted } from "@weir/base";
import type { TreeChangeQuery } from "@weir/flux/api";

/**
 * Counts what may change the tree, so that whoever shows it needs to read it only then: reading it compares everything
 * in git with the cluster.
 */
export class TreeChanges {
  readonly #clock: Clock;
  /** Versions of different processes differ. */
  readonly #process: string;
  #count = 0;
  /** Exists while somebody waits. */
  #news: PromiseWithResolvers<true> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#process = clock.now().toString(36);
  }

  /** The version of a tree that's read from now on. */
  get version(): string {
    return `${this.#process}-${this.#count}`;
  }

  /** Something changed. */
  note(): void {
    this.#count += 1;
    this.#news?.resolve(true);
    this.#news = undefined;
  }

  /** True as soon as the version is another one; false if it isn't after the wait. */
  async changed({ after, waitMs }: TreeChangeQuery, signal: AbortSignal): Promise<boolean> {
    if (this.version === after) {
      using deadline = new Deadline(this.#clock, waitMs, signal);
      this.#news ??= Promise.withResolvers<true>();
      await orAborted(this.#news.promise, deadline.signal).catch(() => signal.throwIfAborted());
    }
    return this.version !== after;
  }
}
