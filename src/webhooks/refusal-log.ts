import type { Clock, LogFields, Logger } from "@weir/base";

/** How often the same reason is logged for an endpoint, in milliseconds. */
const period = 10 * 60_000;
/** Senders decide what's wrong with their requests, so the number of logged reasons per period is limited. */
const mostReasons = 8;

interface Told {
  readonly since: number;
  readonly reasons: Set<string>;
  untold: number;
}

/** Logs why requests are refused: each reason once per period, and the number of other refused requests. */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #byEndpoint = new Map<string, Told>();

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** Endpoints are distinguished by `path`, and shown as `fields`. */
  refused(path: string, fields: LogFields, reason: string): void {
    const told = this.#toldOf(path, fields);
    if (told.reasons.has(reason) || told.reasons.size >= mostReasons) {
      told.untold += 1;
      return;
    }
    told.reasons.add(reason);
    this.#logger.log({ ...fields, refused: reason });
  }

  #toldOf(path: string, fields: LogFields): Told {
    const now = this.#clock.now();
    const last = this.#byEndpoint.get(path);
    if (last !== undefined && now - last.since < period) {
      return last;
    }
    if (last !== undefined && last.untold > 0) {
      this.#logger.log({
        ...fields,
        info: "refused more requests since the last message",
        requests: last.untold,
      });
    }
    const told = { since: now, reasons: new Set<string>(), untold: 0 };
    this.#byEndpoint.set(path, told);
    return told;
  }
}
