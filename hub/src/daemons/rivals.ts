import { type Logger, toError } from "@weir/base";
import type { Bus } from "../bus/bus.ts";
import type { Database } from "../store/database.ts";
import { databaseTime } from "../store/database-time.ts";
import { forgetRivals, noteReplacement, rivalsProblem } from "../store/rivals.ts";
import { problemEvent } from "./events.ts";
import type { Intake } from "./intake.ts";
import type { Link } from "./link.ts";
import { topics } from "./ports.ts";

/** What it takes to tell rivals. */
export interface RivalsContext {
  readonly database: Database;
  readonly bus: Bus;
  readonly intake: Intake;
  readonly log: Logger;
  /** How long two daemons have to take turns, in milliseconds: those of a rollout do so for a moment, too. */
  readonly patience: number;
}

/** The code of a connection whose other side didn't answer that it ends. */
const unanswered = 1006;

/**
 * Finds two daemons that connect with the token of one instance. A daemon connects again only after its connection has
 * ended: one that is replaced and still answers belongs to another daemon.
 */
export class Rivals {
  readonly #context: RivalsContext;

  constructor(context: RivalsContext) {
    this.#context = context;
  }

  /** Closes a connection that a newer one has replaced; never rejects. */
  async close(link: Link): Promise<void> {
    if (link.signal.aborted) {
      return;
    }
    await link.close();
    const { code } = await link.daemon.closed;
    if (code !== unanswered) {
      await this.#note(link.lease.instanceId).catch((error: unknown) => this.#failed(error));
    }
  }

  /** Forgets those of whom one has gone. Rejects with the database's error. */
  async forget(now: number): Promise<void> {
    const { database } = this.#context;
    for (const instanceId of await forgetRivals(database.connection, now)) {
      await this.#tell(instanceId);
    }
  }

  /** By the time of the database, as the rivals can be connected to consoles whose clocks differ. */
  async #note(instanceId: string): Promise<void> {
    const { database, intake, patience } = this.#context;
    const now = await databaseTime(database.connection);
    await intake.addFrom(async (transaction) =>
      (await noteReplacement(transaction, instanceId, { now, patience }))
        ? [problemEvent(instanceId, rivalsProblem, now)]
        : [],
    );
    await this.#tell(instanceId);
  }

  #tell(instanceId: string): Promise<void> {
    return this.#context.bus.publish(topics.changes, { instanceId, workloads: [] });
  }

  #failed(error: unknown): void {
    this.#context.log.log({
      component: "hub",
      warning: "cannot note that two daemons take turns",
      err: toError(error),
    });
  }
}
