import { createHash } from "node:crypto";
import type { Clock, Logger } from "@weir/base";
import type { Bus } from "../bus/bus.ts";
import type { Database } from "../store/database.ts";
import { isWithoutProblem, type StateChange, updateInstanceState } from "../store/instances.ts";
import { holdsLease } from "../store/leases.ts";
import type { Connection } from "../store/schema.ts";
import { replaceWorkloads } from "../store/workloads.ts";
import { problemEvent } from "./events.ts";
import { FailureLog } from "./failure-log.ts";
import type { Gate } from "./gate.ts";
import type { Intake } from "./intake.ts";
import type { Link } from "./link.ts";
import { LookTimes } from "./look-times.ts";
import type { Pace } from "./pace.ts";
import { topics } from "./ports.ts";
import { readDaemon } from "./read-daemon.ts";
import { changedState, problemOf, type Reading, stateOf, workloadsOf } from "./snapshot.ts";

/** What a keeper needs. */
export interface KeeperContext {
  readonly database: Database;
  readonly bus: Bus;
  readonly gate: Gate;
  readonly pace: Pace;
  readonly intake: Intake;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long what was read counts as current, in milliseconds. */
  readonly interval: number;
}

/** How long it's believed that the store has what was written, in milliseconds. */
const trust = 600_000;

/** How many workloads a message names; if more changed, readers look at all. */
const mostNamed = 100;

/** Keeps what the store has of one instance current while its daemon is connected. */
export class Keeper {
  readonly #link: Link;
  readonly #context: KeeperContext;
  readonly #times: LookTimes;
  readonly #failures: FailureLog;
  #written: StateChange = {};
  /** Which reading is in the store, and until when that's believed. */
  #stored = { digest: "", until: 0 };

  constructor(link: Link, context: KeeperContext) {
    this.#link = link;
    this.#context = context;
    this.#times = new LookTimes(context.clock, context.interval, context.pace);
    this.#failures = new FailureLog(context.log, link, "cannot read a daemon");
  }

  /** Says that something has changed. */
  wake(): void {
    this.#times.wake();
  }

  /** Says that something has changed whose outcome somebody waits to see. */
  hurry(): void {
    this.#times.hurry();
  }

  /** Reads and writes until the connection ends; never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#link;
    while (!signal.aborted) {
      await this.#look().catch((error: unknown) => this.#failures.failed(error));
      await this.#times.nextAfterLook(signal).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { gate } = this.#context;
    const { signal, daemon } = this.#link;
    await gate.run(async () => {
      const reading = await readDaemon(daemon, signal);
      await this.#write(reading);
    }, signal);
    this.#failures.worked();
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
    await this.#tellProblem(reading, change);
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

  /** Weir's daemons say themselves what failed. The event is stored together with the problem, so that it's told once. */
  async #tellProblem(reading: Reading, { problem: changed }: StateChange): Promise<void> {
    const problem = problemOf(reading);
    if (reading.isWeir || changed === undefined || problem === "") {
      return;
    }
    const { intake, clock } = this.#context;
    const { lease } = this.#link;
    await intake.addFrom(async (transaction) => {
      if (
        !(await holdsLease(transaction, lease)) ||
        !(await isWithoutProblem(transaction, lease.instanceId))
      ) {
        return [];
      }
      await updateInstanceState(transaction, lease.instanceId, { problem });
      return [problemEvent(lease.instanceId, problem, clock.now())];
    });
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
}

/** The same for readings that say the same. */
function digestOf(reading: Reading): string {
  return createHash("sha256").update(JSON.stringify(reading)).digest("base64url");
}
