/**
 * The daemon's recent activity, for people who ask. Takes events and failures, and returns those after a known one,
 * immediately or as soon as there's a new one.
 */

import { type Clock, Deadline, orAborted, weightOfJson } from "@weir/base";
import { encodeEvent, type FluxEvent, type ResourceId } from "@weir/flux";
import type { EventsQuery, LoggedEvent } from "@weir/flux/api";
import { describeEvent } from "./describe-event.ts";

/** How much to remember. */
export interface RememberedEvents {
  readonly count: number;
  /** The approximate memory that they use, in bytes. */
  readonly weight: number;
}

/**
 * A failure that comes back later than this is another one, so that whoever follows the log hears of it, in milliseconds.
 * Longer than the usual time between two syncs.
 */
const sameFailureMs = 3_600_000;

interface Entry {
  readonly event: LoggedEvent;
  readonly weight: number;
}

/** Remembers the latest events: as many as configured, or fewer if they're large, and always the last one. */
export class EventLog {
  readonly #clock: Clock;
  readonly #remembered: RememberedEvents;
  readonly #lastRun: number;
  #entries: readonly Entry[] = [];
  #news = Promise.withResolvers<true>();

  constructor(clock: Clock, remembered: RememberedEvents) {
    this.#clock = clock;
    this.#remembered = remembered;
    // IDs start with the time, so that the next process uses greater ones without any stored state.
    this.#lastRun = clock.now();
  }

  /** Adds an event that's also sent to upstreams. */
  add(event: FluxEvent): void {
    const { workloads, startedAt, endedAt, logLevel, detail } = event;
    const { metadata = null } = encodeEvent(event);
    const message = describeEvent(event);
    this.#push({ type: detail.type, workloads, startedAt, endedAt, logLevel, message, metadata });
  }

  /** Adds that resources were put back as they are in git, because something else had changed them. */
  addPutBack(ids: readonly ResourceId[]): void {
    const now = new Date(this.#clock.now());
    const message = `Put back as in git: ${ids.toSorted().join(", ")}`;
    const drift = { type: "drift", workloads: ids, startedAt: now, endedAt: now } as const;
    this.#push({ ...drift, logLevel: "info", message, metadata: null });
  }

  /** Adds a failure. A failure that repeats is kept as one entry with a later end, until it has stayed away for a while. */
  addFailure(message: string): void {
    const now = new Date(this.#clock.now());
    const last = this.#entries.at(-1);
    if (
      last?.event.type === "failure" &&
      last.event.message === message &&
      now.getTime() - last.event.endedAt.getTime() < sameFailureMs
    ) {
      const again = { ...last, event: { ...last.event, endedAt: now } };
      this.#entries = [...this.#entries.slice(0, -1), again];
      return;
    }
    const failure = { type: "failure", workloads: [], startedAt: now, endedAt: now } as const;
    this.#push({ ...failure, logLevel: "error", message, metadata: null });
  }

  /** Adds something that people should know and that upstreams have no type for. */
  addNotice(type: "suspend" | "resume", message: string): void {
    const now = new Date(this.#clock.now());
    this.#push({
      type,
      workloads: [],
      startedAt: now,
      endedAt: now,
      logLevel: "info",
      message,
      metadata: null,
    });
  }

  /** The events after the given one. If there are none yet, waits for one as long as requested. */
  async events({ after, waitMs }: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
    using deadline = new Deadline(this.#clock, waitMs, signal);
    let found = this.#after(after);
    while (found.length === 0 && !deadline.expired) {
      await orAborted(this.#news.promise, deadline.signal).catch(() => signal.throwIfAborted());
      found = this.#after(after);
    }
    return found;
  }

  #after(id: number): readonly LoggedEvent[] {
    return this.#entries.map(({ event }) => event).filter((event) => event.id > id);
  }

  #push(event: Omit<LoggedEvent, "id">): void {
    const id = Math.max(this.#lastRun, this.#entries.at(-1)?.event.id ?? 0) + 1;
    const { message, workloads, metadata } = event;
    const weight = weightOfJson([message, workloads, metadata]);
    this.#entries = lastOf([...this.#entries, { event: { id, ...event }, weight }], this.#remembered);
    const { resolve } = this.#news;
    this.#news = Promise.withResolvers<true>();
    resolve(true);
  }
}

/** As many of the latest entries as the limits allow, but at least the last one. */
function lastOf(entries: readonly Entry[], { count, weight: limit }: RememberedEvents): readonly Entry[] {
  const recent = entries.slice(-count);
  let weight = 0;
  const tooMuch = recent.findLastIndex((entry) => {
    weight += entry.weight;
    return weight > limit;
  });
  return recent.slice(Math.min(tooMuch + 1, recent.length - 1));
}
