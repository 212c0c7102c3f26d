import { type Clock, type Logger, toError } from "@weir/base";
import type { Bus } from "../bus/bus.ts";
import { topics } from "../daemons/ports.ts";
import type { Database } from "../store/database.ts";
import { expireJobs, giveUpJobsOfAbsent } from "../store/job-lifecycle.ts";
import { deleteOld, type Retention } from "../store/retention.ts";
import { takeTurn } from "../store/take-turn.ts";

/** What keeping the database tidy needs. */
export interface TidyingOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often old data is deleted, and how often each console looks whether it's time, in milliseconds. */
const turnMs = 60 * 60_000;
const lookMs = 5 * 60_000;

/**
 * Deletes what was kept for long enough, once an hour, until it's aborted; of several consoles, one does it. Also ends jobs
 * that waited for too long, wherever their daemon is. Never rejects: what couldn't be done is done the next time.
 */
export async function keepTidy(options: TidyingOptions, signal: AbortSignal): Promise<void> {
  const { clock, log } = options;
  while (!signal.aborted) {
    await endOverdueJobs(options)
      .then(() => tidyInTurn(options, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) {
          log.log({ component: "retention", warning: "cannot delete old data", err: toError(error) });
        }
      });
    await clock.sleep(lookMs, signal).catch(() => undefined);
  }
}

async function endOverdueJobs({ database, bus, clock }: TidyingOptions): Promise<void> {
  const { connection } = database;
  const now = clock.now();
  const ended = [...(await expireJobs(connection, now)), ...(await giveUpJobsOfAbsent(connection, now))];
  for (const { id, instanceId } of ended) {
    await bus.publish(topics.jobs, { instanceId, jobId: id });
  }
}

async function tidyInTurn(
  { database, retention, clock, log }: TidyingOptions,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  if (!(await takeTurn(database.connection, { name: "retention", everyMs: turnMs }, now))) {
    return;
  }
  const deleted = await deleteOld(database, { retention, now }, signal);
  if (Object.keys(deleted).length > 0) {
    log.log({ component: "retention", info: "deleted old data", ...deleted });
  }
}
