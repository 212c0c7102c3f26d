import type { Timestamp } from "../../image/timestamp.ts";
import type { RepositoryRecord } from "../cache/records.ts";

/**
 * For so long a repository is taken for what its record says; then its images are looked for one by one, since a
 * cache may have dropped some of them.
 */
const longestMs = 600_000;

/**
 * Remembers of one repository that all its images are known and none is due, so that a pass need not read each of
 * them from the cache again: of a thousand tags that is a thousand questions a minute.
 */
export class Settled {
  #lastUpdate: Timestamp | undefined;
  #until = -Infinity;

  /** True where that still holds: the record is the one that was written last, and has these tags. */
  holds(tags: readonly string[], record: RepositoryRecord, now: number): boolean {
    return (
      now < this.#until &&
      record.lastUpdate !== undefined &&
      record.lastUpdate === this.#lastUpdate &&
      record.tags.length === tags.length &&
      record.tags.every((tag, index) => tag === tags[index])
    );
  }

  /** All images were looked for: none was due, and none is before `dueAt`, in milliseconds since the epoch. */
  begin(dueAt: number, now: number): void {
    this.#until = Math.min(dueAt, now + longestMs);
  }

  /** This record is the one that was written last. */
  wrote({ lastUpdate }: RepositoryRecord): void {
    this.#lastUpdate = lastUpdate;
  }

  /** Something was due, or went wrong. */
  end(): void {
    this.#until = -Infinity;
  }
}
