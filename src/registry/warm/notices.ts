/** Notices about new images, kept until a pass has seen those images. Does no I/O, but keeps the list. */
import { canonicalImageName, type ImageName, printImageName } from "@weir/flux";

/** A message from outside that a repository has something new. */
export interface Notice {
  /** The name as the sender spells it. */
  readonly name: ImageName;
  /** The pushed tags, if the sender named them. */
  readonly tags: ReadonlySet<string>;
  /** How many passes didn't find them. */
  readonly misses: number;
  /** When to scan, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * How long to wait after each pass that didn't find the tags, since a registry may send a notice shortly before it
 * lists a tag.
 */
const patience: readonly number[] = [1_000, 5_000];

/** The maximum number of waiting repositories; others have to wait for the next round. */
const mostWaiting = 200;

/** The waiting notices, by the canonical name of their repository; notices for the same repository are merged. */
export class Notices {
  readonly #waiting = new Map<string, Notice>();

  add(name: ImageName, tags: readonly string[], at: number): void {
    this.#put({ name, tags: new Set(tags), misses: 0, at });
  }

  /** A pass didn't find these tags of a notice. They're looked for again, a limited number of times. */
  miss({ name, misses }: Notice, tags: readonly string[], now: number): void {
    const wait = patience[misses];
    if (tags.length > 0 && wait !== undefined) {
      this.#put({ name, tags: new Set(tags), misses: misses + 1, at: now + wait });
    }
  }

  /** Postpones a notice. */
  putOff(notice: Notice, at: number): void {
    this.#put({ ...notice, at });
  }

  /** Removes and returns the notices that are due. */
  take(now: number): ReadonlyMap<string, Notice> {
    const due = new Map([...this.#waiting].filter(([, { at }]) => at <= now));
    due.forEach((_notice, key) => this.#waiting.delete(key));
    return due;
  }

  /** The time until the next notice is due, in milliseconds; undefined if there's none. */
  wait(now: number): number | undefined {
    const times = [...this.#waiting.values()].map(({ at }) => at - now);
    return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
  }

  #put(notice: Notice): void {
    const key = printImageName(canonicalImageName(notice.name));
    const other = this.#waiting.get(key);
    if (other !== undefined || this.#waiting.size < mostWaiting) {
      this.#waiting.set(key, mergeNotices(notice, other));
    }
  }
}

/** Merges two notices for one repository: the earlier time and the lower number of misses win. */
export function mergeNotices(notice: Notice, other: Notice | undefined): Notice {
  return other === undefined
    ? notice
    : {
        name: notice.name,
        tags: notice.tags.union(other.tags),
        misses: Math.min(notice.misses, other.misses),
        at: Math.min(notice.at, other.at),
      };
}
