import { type Clock, type Logger, toError } from "@weir/base";
import type { Bus } from "../bus/bus.ts";
import type { Database } from "../store/database.ts";
import { addEvents, lockAdditions, type NewEvent, type StoredEvent } from "../store/events.ts";
import { noteSyncs, type Synced } from "../store/instance-syncs.ts";
import type { Connection } from "../store/schema.ts";
import { topics } from "./ports.ts";
import { Rounds } from "./rounds.ts";

/** What the intake needs. */
export interface IntakeContext {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Waiting {
  readonly event: NewEvent;
  readonly synced: Synced | undefined;
  readonly done: PromiseWithResolvers<undefined>;
}

/** The most events that are stored by one transaction. */
const batch = 500;

/** How long events are collected after others were stored, in milliseconds: each transaction costs several round trips. */
const collectFor = 20;

/** The most events that wait; a sender beyond that has to come again. */
const mostWaiting = 20_000;

/** There are more events than can be stored. */
class IntakeFullError extends Error {
  override readonly name = "IntakeFullError";
}

/**
 * Stores events, each before its sender gets an answer. What arrives while a transaction is under way, and shortly after,
 * goes into the next one, so that many daemons at once cost few transactions.
 */
export class Intake {
  readonly #context: IntakeContext;
  readonly #waiting: Waiting[] = [];
  readonly #rounds: Rounds;

  constructor(context: IntakeContext) {
    this.#context = context;
    this.#rounds = new Rounds({
      clock: context.clock,
      pauseMs: collectFor,
      isDue: () => this.#waiting.length > 0,
      round: () => this.#storeBatch(),
    });
  }

  /** Resolves when the event is stored, and what it says of the instance's last sync. Rejects with IntakeFullError, or with the database's error. */
  add(event: NewEvent, synced?: Synced): Promise<void> {
    if (this.#waiting.length >= mostWaiting) {
      return Promise.reject(new IntakeFullError("too many events wait to be stored"));
    }
    const done = Promise.withResolvers<undefined>();
    this.#waiting.push({ event, synced, done });
    this.#rounds.begin();
    return done.promise;
  }

  /**
   * Stores events together with what they follow from, in one transaction, or nothing of both. Rejects with the error of
   * `decide`, or the database's.
   */
  async addFrom(decide: (transaction: Connection) => Promise<readonly NewEvent[]>): Promise<void> {
    const { database, clock } = this.#context;
    const added = await database.transaction(async (transaction) => {
      await lockAdditions(transaction);
      return addEvents(transaction, await decide(transaction), clock.now());
    });
    await this.#tell(added);
  }

  /** Resolves when all events that were added are stored, or refused. */
  async idle(): Promise<void> {
    await this.#rounds.idle();
  }

  async #storeBatch(): Promise<void> {
    const taken = this.#waiting.splice(0, batch);
    try {
      await this.#store(taken);
    } catch (error) {
      await this.#storeEach(taken, toError(error));
    }
  }

  async #store(taken: readonly Waiting[]): Promise<void> {
    const { database, clock } = this.#context;
    const events = taken.map(({ event }) => event);
    const added = await database.transaction(async (transaction) => {
      const stored = await addEvents(transaction, events, clock.now());
      await noteSyncs(transaction, newestSyncs(taken));
      return stored;
    });
    taken.forEach(({ done }) => done.resolve(undefined));
    await this.#tell(added);
  }

  /** One event that can't be stored must not keep others from being stored. */
  async #storeEach(taken: readonly Waiting[], error: Error): Promise<void> {
    const [only] = taken;
    if (only !== undefined && taken.length === 1) {
      only.done.reject(error);
      return;
    }
    for (const each of taken) {
      await this.#store([each]).catch((reason: unknown) => each.done.reject(toError(reason)));
    }
  }

  /** What is stored is stored, whoever hears of it. One message tells of all: each costs a round trip. */
  async #tell(added: readonly StoredEvent[]): Promise<void> {
    const { bus, log } = this.#context;
    if (added.length === 0) {
      return;
    }
    const instanceIds = [...new Set(added.map(({ instanceId }) => instanceId))];
    await bus
      .publish(topics.events, { instanceIds, ids: added.map(({ id }) => id) })
      .catch((error: unknown) =>
        log.log({ component: "hub", warning: "cannot tell of events", err: toError(error) }),
      );
  }
}

/** The last sync of each instance, in the order of their IDs, so that two transactions never wait for each other. */
function newestSyncs(taken: readonly Waiting[]): readonly Synced[] {
  const newest = new Map<string, Synced>();
  for (const { synced } of taken) {
    const known = synced && newest.get(synced.instanceId);
    if (synced !== undefined && (known === undefined || known.at <= synced.at)) {
      newest.set(synced.instanceId, synced);
    }
  }
  return [...newest.values()].toSorted((a, b) => (a.instanceId < b.instanceId ? -1 : 1));
}
