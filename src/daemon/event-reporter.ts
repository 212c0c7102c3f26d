import { apiLimits, type Clock, type Logger, messageOf } from "@weir/base";
import { type FluxEvent, printEvent, type ResourceId } from "@weir/flux";
import type { EventsQuery, LoggedEvent } from "@weir/flux/api";
import { EventLog } from "./event-log.ts";
import type { EventSink } from "./ports.ts";
import { SuspendedError } from "./suspension/errors.ts";

const rememberedEvents = { count: 500, weight: apiLimits.eventsWeight };

/** Reports what the daemon does: to the event log, to fluxd's log, and to the upstream. */
export class EventReporter {
  readonly #options: EventReporterOptions;
  readonly #events: EventLog;

  constructor(options: EventReporterOptions) {
    this.#options = options;
    this.#events = new EventLog(options.clock, rememberedEvents);
  }

  /** The remembered events after a known one. If there are none yet, waits for one as long as requested. */
  events(query: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
    return this.#events.events(query, signal);
  }

  /**
   * Publishes an event: always as one line in the log, and to the upstream if there is one. Rejects if it can't be
   * delivered.
   */
  async publish(event: FluxEvent, signal: AbortSignal): Promise<void> {
    const { eventSink, logger } = this.#options;
    this.#events.add(event);
    logger.log({ event: printEvent(event), logupstream: eventSink ? "true" : "false" });
    await eventSink?.(event, signal);
  }

  /** Adds a failure to the event log. */
  noteFailure(message: string): void {
    this.#events.addFailure(message);
  }

  /** Adds to the event log what somebody suspended or resumed. */
  noteSuspension(type: "suspend" | "resume", message: string): void {
    this.#events.addNotice(type, message);
  }

  /** Reports what a sync changed back although git had no new commits. */
  tellPutBack(ids: readonly ResourceId[]): void {
    this.#options.logger.log({ info: "put back as in git", resources: ids.toSorted().join(",") });
    this.#events.addPutBack(ids);
  }

  /** Resolves or rejects like `work`, and adds a failure to the event log; being suspended is none. */
  async watching<T>(what: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof SuspendedError)) {
        this.noteFailure(`${what} failed: ${messageOf(error)}`);
      }
      throw error;
    }
  }
}

export interface EventReporterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined if there's no upstream. */
  readonly eventSink?: EventSink | undefined;
}
