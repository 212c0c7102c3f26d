import { type Clock, messageOf } from "@weir/base";
import { RefusedSyncError, type ResourceError, type ResourceId } from "@weir/flux";
import type { LastSyncReport } from "@weir/flux/api";
import { SuspendedError } from "../suspension/errors.ts";
import type { WaitingSync } from "./sync.ts";
import { syncErrorText } from "./sync-error.ts";

/** How a sync ended. */
type EndedSync = Pick<LastSyncReport, "revision" | "endedAt" | "failure" | "errors"> & {
  /** All failures, as lines for people. */
  readonly failures: readonly string[];
};

const none: EndedSync = { revision: "", endedAt: undefined, failure: "", errors: [], failures: [] };

/** How the last finished sync ended, and what the current one waits for. */
export class SyncOutcome {
  readonly #clock: Pick<Clock, "now">;
  #ended = none;
  #waitingFor: readonly ResourceId[] = [];
  #isRunning = false;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Empty after a successful sync, and before the first one. */
  get failures(): readonly string[] {
    return this.#ended.failures;
  }

  /** Empty if no sync is waiting. */
  get waitingFor(): readonly ResourceId[] {
    return this.#waitingFor;
  }

  /** The errors of single resources in the last finished sync. */
  get errors(): readonly ResourceError[] {
    return this.#ended.errors;
  }

  /** All of it, for people who wait for a sync. */
  report(): LastSyncReport {
    const { revision, endedAt, failure, errors } = this.#ended;
    return { revision, endedAt, failure, errors, isRunning: this.#isRunning, waitingFor: this.#waitingFor };
  }

  /**
   * Runs a sync, which may report errors of resources that don't end it, and stores how it ended, unless it has to
   * wait or is suspended. Rejects like the sync.
   */
  async record<T extends Pick<WaitingSync, "waitingFor"> | undefined>(
    revision: string,
    sync: (noteErrors: (errors: readonly ResourceError[]) => void) => Promise<T>,
  ): Promise<T> {
    let errors: readonly ResourceError[] = [];
    this.#isRunning = true;
    try {
      const waiting = await sync((noted) => {
        errors = noted;
      });
      this.#waitingFor = waiting?.waitingFor ?? [];
      if (waiting === undefined) {
        this.#ended = this.#end(revision, errors);
      }
      return waiting;
    } catch (error) {
      this.#waitingFor = [];
      if (!(error instanceof SuspendedError)) {
        this.#ended = this.#end(revision, errors, error);
      }
      throw error;
    } finally {
      this.#isRunning = false;
    }
  }

  #end(revision: string, errors: readonly ResourceError[], fault?: unknown): EndedSync {
    const endedAt = new Date(this.#clock.now());
    const noted = errors.length === 0 ? [] : [syncErrorText(errors)];
    if (fault === undefined) {
      return { revision, endedAt, failure: "", errors, failures: noted };
    }
    const failures = [...noted, messageOf(fault)];
    return fault instanceof RefusedSyncError
      ? { revision, endedAt, failure: fault.summary, errors: fault.errors, failures }
      : { revision, endedAt, failure: messageOf(fault), errors, failures };
  }
}
