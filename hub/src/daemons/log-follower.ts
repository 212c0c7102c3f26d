import { type BackoffPolicy, backoffDelay, type Clock, type Logger } from "@weir/base";
import type { LoggedEvent } from "@weir/flux/api";
import type { InspectionClient } from "@weir/flux/client";
import type { Database } from "../store/database.ts";
import { findEventCursor, moveEventCursor } from "../store/presence.ts";
import { unpostedEvent } from "./events.ts";
import { FailureLog } from "./failure-log.ts";
import type { Intake } from "./intake.ts";
import type { Link } from "./link.ts";

/** What a follower needs. */
export interface LogFollowerContext {
  readonly database: Database;
  readonly intake: Intake;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long a daemon waits for news before it answers that there are none, in milliseconds. */
const waitMs = 50_000;

/** How long to wait between two questions, in milliseconds: what a busy daemon posts anyway isn't worth more of them. */
const calmMs = 1_000;

/** How long to wait after a failure. */
const patience: BackoffPolicy = { initialMs: 5_000, maxMs: 300_000, factor: 2, jitter: 0.2 };

/**
 * Takes from the log of a Weir daemon what it doesn't post, while it's connected. What was taken is noted together with
 * the events, so that none is lost or taken twice, whichever console the daemon connects to next.
 */
export class LogFollower {
  readonly #link: Link;
  readonly #context: LogFollowerContext;
  readonly #failures: FailureLog;

  constructor(link: Link, context: LogFollowerContext) {
    this.#link = link;
    this.#context = context;
    this.#failures = new FailureLog(context.log, link, "cannot read the events of a daemon");
  }

  /** Follows until the connection ends; never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#link;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#follow(() => {
          failures = 0;
          this.#failures.worked();
        });
        return;
      } catch (error) {
        failures += 1;
        this.#failures.failed(error);
      }
      await this.#context.clock.sleep(backoffDelay(patience, failures), signal).catch(() => undefined);
    }
  }

  /** Resolves for daemons of Flux v1, which have no log. */
  async #follow(answered: () => void): Promise<void> {
    const { database, clock } = this.#context;
    const { daemon, lease, signal } = this.#link;
    const inspection = await daemon.inspection(signal);
    if (inspection === undefined) {
      return;
    }
    let cursor = await findEventCursor(database.connection, lease.instanceId);
    for (;;) {
      const found = await this.#news(inspection, cursor);
      await this.#take(found);
      cursor = Math.max(cursor, ...found.map(({ id }) => id));
      answered();
      await clock.sleep(calmMs, signal);
    }
  }

  #news(inspection: InspectionClient, after: number): Promise<readonly LoggedEvent[]> {
    return inspection.events({ after, waitMs }, this.#link.signal);
  }

  /** What is posted anyway isn't worth a transaction. */
  async #take(found: readonly LoggedEvent[]): Promise<void> {
    const { intake, clock } = this.#context;
    const { lease } = this.#link;
    const events = found.flatMap((event) => unpostedEvent(lease.instanceId, event, clock.now()) ?? []);
    if (events.length === 0) {
      return;
    }
    const last = Math.max(...found.map(({ id }) => id));
    await intake.addFrom(async (transaction) =>
      (await moveEventCursor(transaction, lease, last)) ? events : [],
    );
  }
}
