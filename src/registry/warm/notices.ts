/** What somebody says is new of a repository, until a pass has seen it. Pure but for the list that it is. */
import { canonicalImageName, type ImageName, printImageName } from "../../image/name.ts";

/** Somebody says that there is something new. */
export interface Notice {
  /** As whoever says it spells it. */
  readonly name: ImageName;
  /** The tags that were pushed, as far as that is said. */
  readonly tags: ReadonlySet<string>;
  /** How many passes looked for them in vain. */
  readonly misses: number;
  /** When to look, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * How long to wait after each pass that did not see what was said: a registry may tell of a tag a moment before
 * it lists it.
 */
const patience: readonly number[] = [1_000, 5_000];

/** So many repositories wait at the most; of others the next round will know. */
const mostWaiting = 200;

/** The notices that wait, by the canonical name of their repository; many of one repository are one. */
export class Notices {
  readonly #waiting = new Map<string, Notice>();

  add(name: ImageName, tags: readonly string[], at: number): void {
    this.#put({ name, tags: new Set(tags), misses: 0, at });
  }

  /** A pass did not see these tags of a notice: they are looked for again, but not forever. */
  miss({ name, misses }: Notice, tags: readonly string[], now: number): void {
    const wait = patience[misses];
    if (tags.length > 0 && wait !== undefined) {
      this.#put({ name, tags: new Set(tags), misses: misses + 1, at: now + wait });
    }
  }

  /** Puts a notice off. */
  putOff(notice: Notice, at: number): void {
    this.#put({ ...notice, at });
  }

  /** Takes those whose time has come. */
  take(now: number): ReadonlyMap<string, Notice> {
    const due = new Map([...this.#waiting].filter(([, { at }]) => at <= now));
    due.forEach((_notice, key) => this.#waiting.delete(key));
    return due;
  }

  /** The time until the next one, in milliseconds; undefined where none waits. */
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

/** Two notices of one repository as one: the sooner and the fresher counts. */
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
