import { AnyAbort, abortReason, Deadline, orAborted } from "@weir/base";
import type { ResourceError, ResourceId } from "@weir/flux";
import type { LastSyncReport } from "@weir/flux/api";
import type { EventReporter } from "../event-reporter.ts";
import type { Suspensions } from "../suspension/suspensions.ts";
import { SyncOutcome } from "./outcome.ts";
import { type SyncDependencies, type SyncLimits, syncTo, type WaitingSync } from "./sync.ts";
import { syncErrorText } from "./sync-error.ts";

/** How long to wait for a sync that was told to stop, in milliseconds. */
const stopTimeout = 10_000;

/** Runs syncs, one at a time, and remembers how the last one ended. */
export class SyncRunner {
  readonly #deps: SyncRunnerDependencies;
  readonly outcome: SyncOutcome;
  /** Settles, always successfully, when no sync is running. */
  #running: Promise<unknown> = Promise.resolve();
  #waiting: WaitingSync | undefined;

  constructor(deps: SyncRunnerDependencies) {
    this.#deps = deps;
    this.outcome = new SyncOutcome(deps.clock);
  }

  /**
   * Syncs to a revision, or continues the sync that waits for it. Resolves to a sync that has to wait, or to undefined.
   * Rejects like `syncTo`, and with SuspendedError if syncing is suspended before the sync has ended.
   */
  async sync(revision: string, limits: SyncLimits): Promise<SyncWait | undefined> {
    const suspended = this.#deps.suspensions.syncing;
    using stop = new AnyAbort(limits.stop, suspended);
    const sync = this.#syncUntil(revision, { ...limits, stop: stop.signal }, suspended);
    this.#running = sync.catch(() => undefined);
    return await sync;
  }

  /** False if the running sync doesn't end soon. Rejects if the signal is aborted. */
  async ends(signal: AbortSignal): Promise<boolean> {
    using limit = new Deadline(this.#deps.clock, stopTimeout, signal);
    try {
      await orAborted(this.#running, limit.signal);
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  /** Records failures with the events, and until the next sync. */
  async #syncUntil(
    revision: string,
    limits: SyncLimits,
    suspended: AbortSignal,
  ): Promise<WaitingSync | undefined> {
    const { reporter } = this.#deps;
    const waiting = this.#waiting?.revision === revision ? this.#waiting : undefined;
    this.#waiting = undefined;
    const sync = this.outcome.record(revision, (noted) => {
      const deps: SyncDependencies = {
        ...this.#deps,
        publish: (event, each) => reporter.publish(event, each),
        noteErrors: (errors) => {
          noted(errors);
          reporter.noteFailure(syncErrorText(errors));
        },
        notePutBack: (ids) => this.#tellPutBack(ids),
      };
      return syncTo({ revision, waiting }, deps, limits).catch((error: unknown) => {
        throw limits.stop.aborted && limits.stop.reason === suspended.reason ? abortReason(suspended) : error;
      });
    });
    try {
      this.#waiting = await reporter.watching("sync", sync);
    } finally {
      this.#deps.onChange(this.outcome.report());
    }
    return this.#waiting;
  }

  #tellPutBack(ids: readonly ResourceId[]): void {
    const putBack = changedByOthers(ids, this.outcome.errors);
    if (putBack.length > 0) {
      this.#deps.reporter.tellPutBack(putBack);
    }
  }
}

export interface SyncRunnerDependencies
  extends Omit<SyncDependencies, "publish" | "noteErrors" | "notePutBack"> {
  readonly reporter: EventReporter;
  readonly suspensions: Pick<Suspensions, "syncing">;
  /** Called when a sync has ended or has to wait. */
  onChange(last: LastSyncReport): void;
}

/** A sync that has to wait; the next call with its revision continues it, and one with another replaces it. */
export type SyncWait = Pick<WaitingSync, "changed">;

/** Without what the sync before couldn't apply: it's late, but nobody else has changed it. */
function changedByOthers(
  ids: readonly ResourceId[],
  before: readonly ResourceError[],
): readonly ResourceId[] {
  const late = new Set(before.map(({ id }) => id));
  return ids.filter((id) => !late.has(id));
}
