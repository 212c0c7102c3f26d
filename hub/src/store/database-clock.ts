import { type Clock, type Logger, toError } from "@weir/base";
import { databaseTime } from "./database-time.ts";
import type { Connection } from "./schema.ts";

/** What the database's time is read with. */
export interface DatabaseClockOptions {
  readonly connection: Connection;
  /** That of the machine, by which the time goes on between two looks. */
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often a console looks what time it is for the database, in milliseconds. */
const lookMs = 60_000;

/** A difference between the clocks of two machines that is worth a warning, in milliseconds. */
const notableMs = 5_000;

/**
 * The time of the database, which is the same for all consoles: what one of them has written ends or counts as old at the
 * same moment for all, and a console whose machine's clock is wrong deletes nothing that isn't old.
 */
export class DatabaseClock implements Clock {
  readonly #options: DatabaseClockOptions;
  /** By how much the database's clock is ahead of the machine's, in milliseconds. */
  #aheadMs = 0;

  private constructor(options: DatabaseClockOptions) {
    this.#options = options;
  }

  /** Rejects with the database's error. */
  static async open(options: DatabaseClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(options);
    await clock.#look();
    return clock;
  }

  now(): number {
    return this.#options.clock.now() + this.#aheadMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#options.clock.sleep(ms, signal);
  }

  /** Keeps to the database's time until it's aborted. Never rejects: what can't be read is read the next time. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    while (!signal.aborted) {
      await clock
        .sleep(lookMs, signal)
        .then(() => this.#look())
        .catch((error: unknown) => {
          if (!signal.aborted) {
            log.log({ component: "clock", warning: "cannot read the database's time", err: toError(error) });
          }
        });
    }
  }

  async #look(): Promise<void> {
    const { connection, clock } = this.#options;
    const asked = clock.now();
    const time = await databaseTime(connection);
    const answered = clock.now();
    const isAsExpected = asked + this.#aheadMs <= time && time <= answered + this.#aheadMs;
    if (!isAsExpected) {
      this.#change(Math.round(time - (asked + answered) / 2));
    }
  }

  #change(aheadMs: number): void {
    if (Math.abs(aheadMs) >= notableMs && Math.abs(aheadMs - this.#aheadMs) >= notableMs) {
      this.#options.log.log({
        component: "clock",
        warning:
          "the clock of this machine differs from the database's, which is used; keep both right, for example with NTP",
        differenceSeconds: String(Math.round(-aheadMs / 1000)),
      });
    }
    this.#aheadMs = aheadMs;
  }
}
