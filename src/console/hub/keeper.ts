import { createHash } from "node:crypto";
import {
  type BackoffPolicy,
  backoffDelay,
  type Clock,
  Deadline,
  type Logger,
  messageOf,
  Wake,
} from "@weir/base";
import type { Database } from "../store/database.ts";
import { type StateChange, updateInstanceState } from "../store/instances.ts";
import { holdsLease } from "../store/leases.ts";
import type { Connection } from "../store/schema.ts";
import { replaceWorkloads } from "../store/workloads.ts";
import type { Gate } from "./gate.ts";
import type { Link } from "./link.ts";
import { type Bus, topics } from "./ports.ts";
import { readDaemon } from "./read-daemon.ts";
import { changedState, type Reading, stateOf, workloadsOf } from "./snapshot.ts";

/** What a keeper needs. */
export interface KeeperContext {
  readonly database: Database;
  readonly bus: Bus;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long what was read counts as current, in milliseconds. */
  readonly interval: number;
}

/** How much shorter an interval can be, so that daemons that connected together aren't asked together forever. */
const spread = 0.2;

/**
 * The pause after a wake-up: several events in a row are followed by one look. It doubles while events keep coming, so that
 * a daemon with many of them isn't asked about each.
 */
const calm: BackoffPolicy = { initialMs: 500, maxMs: 15_000, factor: 2, jitter: 0 };

/** How long there must be no look for the pause to be short again, in milliseconds. */
const quiet = 20_000;

/** How long it's believed that the store has what was written, in milliseconds. */
const trust = 600_000;

/** How many workloads a message names; if more changed, readers look at all. */
const mostNamed = 100;

/** Keeps what the store has of one instance current while its daemon is connected. */
export class Keeper {
  readonly #link: Link;
  readonly #context: KeeperContext;
  readonly #wake = new Wake();
  #written: StateChange = {};
  /** Which reading is in the store, and until when that's believed. */
  #stored = { digest: "", until: 0 };
  #problem = "";
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** How many looks there were without a quiet time between them. */
  #looks = 0;

  constructor(link: Link, context: KeeperContext) {
    this.#link = link;
    this.#context = context;
  }

  /** Says that something has changed. */
  wake(): void {
    this.#wake.wake();
  }

  /** Reads and writes until the connection ends; never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#link;
    while (!signal.aborted) {
      await this.#look().catch((error: unknown) => this.#failed(error));
      this.#lookedAt = this.#context.clock.now();
      await this.#untilDue().catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { gate } = this.#context;
    const { signal, daemon } = this.#link;
    await gate.run(async () => {
      const reading = await readDaemon(daemon, signal);
      await this.#write(reading);
    }, signal);
    this.#problem = "";
  }

  async #write(reading: Reading): Promise<void> {
    const { database, bus, clock } = this.#context;
    const { lease } = this.#link;
    const now = clock.now();
    const digest = digestOf(reading);
    if (digest === this.#stored.digest && now < this.#stored.until) {
      return;
    }
    const state = stateOf(reading, now);
    const change = changedState(this.#written, state);
    const isChanged = Object.keys(change).length > 0;
    const ids = await database.transaction(async (transaction) => {
      if (!(await holdsLease(transaction, lease))) {
        return undefined;
      }
      if (isChanged) {
        await updateInstanceState(transaction, lease.instanceId, { ...change, lastSeenAt: new Date(now) });
      }
      return this.#writeWorkloads(transaction, reading, now);
    });
    if (ids === undefined) {
      return;
    }
    this.#written = state;
    this.#stored = { digest, until: now + trust };
    if (isChanged || ids.length > 0) {
      const message = { instanceId: lease.instanceId, workloads: ids.length > mostNamed ? null : ids };
      await bus.publish(topics.changes, message);
    }
  }

  /** Resolves to the IDs of what changed. */
  async #writeWorkloads(transaction: Connection, reading: Reading, now: number): Promise<readonly string[]> {
    if (reading.workloads === undefined) {
      return [];
    }
    const snapshot = { workloads: workloadsOf(reading), now };
    const change = await replaceWorkloads(transaction, this.#link.lease, snapshot);
    return change === undefined ? [] : [...change.written, ...change.removed];
  }

  async #untilDue(): Promise<void> {
    const { clock, interval } = this.#context;
    const { signal } = this.#link;
    using deadline = new Deadline(clock, interval * (1 - spread * Math.random()), signal);
    await this.#wake.wait(deadline.signal).catch(() => undefined);
    this.#looks = clock.now() - this.#lookedAt < quiet ? this.#looks + 1 : 1;
    await clock.sleep(backoffDelay(calm, this.#looks), signal);
  }

  /** An ongoing failure is logged once. */
  #failed(error: unknown): void {
    const { log } = this.#context;
    const message = messageOf(error);
    if (!this.#link.signal.aborted && message !== this.#problem) {
      this.#problem = message;
      log.log({
        component: "hub",
        instance: this.#link.lease.instanceId,
        warning: "cannot read a daemon",
        err: message,
      });
    }
  }
}

/** The same for readings that say the same. */
function digestOf(reading: Reading): string {
  return createHash("sha256").update(JSON.stringify(reading)).digest("base64url");
}
