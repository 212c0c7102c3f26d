/**
 * Dispatches new events to the outbox, and sends what is due. Any number of consoles can do this at once: the outbox gives
 * each channel to one of them at a time.
 */
import { Alarm, abortReason, type Clock, Deadline, type Logger, messageOf, Reported, Wake } from "@weir/base";
import type { SecretBox } from "../secret-box/secret-box.ts";
import type { Database } from "../store/database.ts";
import { partOfEvent } from "../store/event-part.ts";
import { briefEventsById } from "../store/events.ts";
import {
  type ClaimedMessage,
  claimMessage,
  nextDueAt,
  releaseClaim,
  settleMessage,
} from "../store/outbox.ts";
import type { Courier } from "./courier.ts";
import { dispatchEvents } from "./dispatch.ts";
import type { NotableEvent } from "./event.ts";
import { nextStep, type Outcome } from "./retry.ts";
import { sightOfPatterns } from "./rule.ts";
import { type EventUrl, notableEventOf, openSettings, templateOf } from "./stored.ts";

/** What the worker needs. */
export interface WorkerOptions {
  readonly database: Database;
  readonly courier: Courier;
  readonly box: SecretBox;
  readonly eventUrl: EventUrl;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}

/** How many channels are used at once. */
const maxSending = 8;

/** How long sending one message can take, in milliseconds. */
const sendMs = 90_000;

/** A console that doesn't settle a claim in this time is dead, in milliseconds: longer than sending can take. */
const leaseMs = 2 * sendMs;

/** How often to look for events and messages, in case a wake-up was lost, in milliseconds. */
const lookMs = 5_000;

/** How long a message can still take when the console stops, in milliseconds. */
const graceMs = 5_000;

/** Sends notifications while `run` runs. */
export class NotificationWorker {
  readonly #options: WorkerOptions;
  readonly #log: Logger;
  readonly #reported = new Reported();
  readonly #wake = new Wake();
  readonly #sending = new Set<Promise<void>>();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#log = options.log.with({ component: "notify" });
  }

  /** There are new events, or a channel changed: look at once. */
  wake(): void {
    this.#wake.wake();
  }

  /** Resolves when there is nothing to do until the next event or time. */
  idle(): Promise<void> {
    return this.#wake.idle();
  }

  /**
   * Runs until the signal is aborted, and then until the messages that are being sent were sent, or given back after
   * some seconds. Failures of the database are logged and tried again.
   */
  async run(signal: AbortSignal): Promise<void> {
    const alarm = new Alarm(this.#options.clock, () => this.wake());
    const stop = new AbortController();
    try {
      while (!signal.aborted) {
        alarm.set(await this.#look(stop.signal));
        await this.#wake.wait(signal).catch((error: unknown) => {
          if (!signal.aborted) {
            throw error;
          }
        });
      }
    } finally {
      alarm.clear();
      await this.#finish(stop);
    }
  }

  /** Does what there is to do; resolves to when to look again, in milliseconds from now. */
  async #look(stop: AbortSignal): Promise<number> {
    const { database, eventUrl, clock } = this.#options;
    try {
      while (await dispatchEvents(database, eventUrl, clock)) {
        // There may be more events.
      }
      await this.#sendDue(stop);
      const next = this.#sending.size < maxSending ? await nextDueAt(database.connection) : null;
      this.#reported.clear("store");
      return next === null ? lookMs : Math.min(lookMs, Math.max(1, next.getTime() - clock.now()));
    } catch (error) {
      this.#report("store", error);
      return lookMs;
    }
  }

  async #sendDue(stop: AbortSignal): Promise<void> {
    const { database, clock } = this.#options;
    while (this.#sending.size < maxSending) {
      const claimed = await claimMessage(database.connection, clock.now(), leaseMs);
      if (claimed === undefined) {
        return;
      }
      const sending = this.#send(claimed, stop).catch((error: unknown) => this.#report("settle", error));
      this.#sending.add(sending);
      void sending.then(() => {
        this.#sending.delete(sending);
        this.wake();
      });
    }
  }

  async #send(claimed: ClaimedMessage, stop: AbortSignal): Promise<void> {
    const { database, clock, random } = this.#options;
    const outcome = await this.#deliver(claimed, await this.#eventsOf(claimed), stop);
    if (outcome === undefined) {
      await releaseClaim(database.connection, claimed);
      return;
    }
    const now = clock.now();
    const { failures, dueAt } = claimed;
    const step = nextStep({ outcome, failures: failures + 1, since: dueAt.getTime(), now }, random);
    await settleMessage(database.connection, claimed, {
      ...step,
      retryAt: step.retryAt === undefined ? null : new Date(step.retryAt),
      now: new Date(now),
    });
    this.#tell(claimed, step);
  }

  /** A channel is told of nothing else than the namespaces of its rule. */
  async #eventsOf({ eventIds, namespaces }: ClaimedMessage): Promise<readonly NotableEvent[]> {
    const { database, eventUrl } = this.#options;
    const rows = await briefEventsById(database.connection, eventIds);
    const sight = sightOfPatterns(namespaces);
    return rows.flatMap((row) => partOfEvent(notableEventOf(row, eventUrl), sight) ?? []);
  }

  /** undefined if the console stops before the service has answered. */
  async #deliver(
    claimed: ClaimedMessage,
    [first, ...others]: readonly NotableEvent[],
    stop: AbortSignal,
  ): Promise<Outcome | undefined> {
    const { courier, box, clock } = this.#options;
    if (first === undefined) {
      return { kind: "refused", reason: "the events were deleted before they could be reported" };
    }
    const id = `msg_${claimed.id}`;
    const notification = { id, events: [first, ...others], template: templateOf(claimed) } as const;
    using limit = new Deadline(clock, sendMs, stop);
    try {
      return await courier.deliver(notification, openSettings(claimed, box), limit.signal);
    } catch (error) {
      if (stop.aborted) {
        return undefined;
      }
      const reason = limit.expired ? `not sent within ${sendMs / 1000} s` : messageOf(error);
      return { kind: "unavailable", reason, afterMs: 0 };
    }
  }

  async #finish(stop: AbortController): Promise<void> {
    using grace = new Deadline(this.#options.clock, graceMs);
    const end = (): void => stop.abort(abortReason(grace.signal));
    grace.signal.addEventListener("abort", end, { once: true });
    await Promise.all(this.#sending);
  }

  /** Logs the first message that a channel doesn't deliver, and the first that it delivers again. */
  #tell({ channelId, kind }: ClaimedMessage, { state, result }: ReturnType<typeof nextStep>): void {
    if (state !== "sent") {
      if (this.#reported.isNew(channelId)) {
        this.#log.log({ warning: "cannot deliver notifications", channel: channelId, kind, err: result });
      }
    } else if (this.#reported.clear(channelId)) {
      this.#log.log({ info: "delivers notifications again", channel: channelId, kind });
    }
  }

  #report(subject: string, error: unknown): void {
    if (this.#reported.isNew(subject, messageOf(error))) {
      this.#log.log({ warning: "cannot use the outbox", err: messageOf(error) });
    }
  }
}
