import type { Timestamp } from "@weir/flux";
import type { RepositoryRecord } from "../cache/records.ts";

/**
 * How long the record of a repository is trusted. After that, its images are looked up one by one, since a cache may
 * have dropped some.
 */
const longestMs = 600_000;

/**
 * Remembers that all images of a repository are known and none is due, so that a pass needn't read each of them from
 * the cache again. For a thousand tags, that saves a thousand queries a minute.
 */
export class Settled {
  #lastUpdate: Timestamp | undefined;
  #until = -Infinity;

  /** True if that's still the case: the record is the last one that was written, and has these tags. */
  holds(tags: readonly string[], record: RepositoryRecord, now: number): boolean {
    return (
      now < this.#until &&
      record.lastUpdate !== undefined &&
      record.lastUpdate === this.#lastUpdate &&
      record.tags.length === tags.length &&
      record.tags.every((tag, index) => tag === tags[index])
    );
  }

  /** All images were looked up; none was due, and none will be before `dueAt`, in milliseconds since the epoch. */
  begin(dueAt: number, now: number): void {
    this.#until = Math.min(dueAt, now + longestMs);
  }

  /** This record is the last one that was written. */
  wrote({ lastUpdate }: RepositoryRecord): void {
    this.#lastUpdate = lastUpdate;
  }

  /** Something was due, or something failed. */
  end(): void {
    this.#until = -Infinity;
  }
}
