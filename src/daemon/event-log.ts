/**
 * What the daemon did lately, for people who ask. In flow events and failures, out flow those that came after one
 * that is known already, at once or when there is one.
 */
import type { EventsQuery, LoggedEvent } from "../api/types/inspection.ts";
import { orAborted } from "../base/abort.ts";
import type { Clock } from "../base/clock.ts";
import { Deadline } from "../base/deadline.ts";
import type { FluxEvent } from "../event/event.ts";
import { printEvent } from "../event/message.ts";
import { encodeEvent } from "../event/wire.ts";

/** Remembers a number of events. */
export class EventLog {
  readonly #clock: Clock;
  readonly #remembered: number;
  readonly #lastRun: number;
  #events: readonly LoggedEvent[] = [];
  #news = Promise.withResolvers<true>();

  constructor(clock: Clock, remembered: number) {
    this.#clock = clock;
    this.#remembered = remembered;
    // IDs begin with the time, so that those of the next process are greater without anything being kept.
    this.#lastRun = clock.now();
  }

  /** Takes an event that upstreams are told, too. */
  add(event: FluxEvent): void {
    const { workloads, startedAt, endedAt, logLevel, detail } = event;
    const { metadata = null } = encodeEvent(event);
    const message = printEvent(event);
    this.#push({ type: detail.type, workloads, startedAt, endedAt, logLevel, message, metadata });
  }

  /** Takes what went wrong. The same failure again and again is one: it only ends later. */
  addFailure(message: string): void {
    const now = new Date(this.#clock.now());
    const last = this.#events.at(-1);
    if (last?.type === "failure" && last.message === message) {
      this.#events = [...this.#events.slice(0, -1), { ...last, endedAt: now }];
      return;
    }
    const failure = { type: "failure", workloads: [], startedAt: now, endedAt: now } as const;
    this.#push({ ...failure, logLevel: "error", message, metadata: null });
  }

  /** The events after the one asked for; where there are none yet, waits for one as long as asked to. */
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
    return this.#events.filter((event) => event.id > id);
  }

  #push(event: Omit<LoggedEvent, "id">): void {
    const id = Math.max(this.#lastRun, this.#events.at(-1)?.id ?? 0) + 1;
    this.#events = [...this.#events, { id, ...event }].slice(-this.#remembered);
    const { resolve } = this.#news;
    this.#news = Promise.withResolvers<true>();
    resolve(true);
  }
}
