import type { SyncTask } from "../plan/task.ts";
import { reportOf } from "../run/report.ts";
import type { SyncResult } from "../run/result.ts";
import { OperationReplacedError, type RunningOperation, type UnitProgress, untilReady } from "./operation.ts";

/** The signal of a sync was aborted. The result contains what was done until then. */
export class SyncAbortedError extends Error {
  override readonly name: string = "SyncAbortedError";
  readonly result: SyncResult;

  constructor(result: SyncResult, options: ErrorOptions) {
    super(result.message, options);
    this.result = result;
  }
}

/**
 * A newer operation has replaced this one: one with a higher generation, or with another revision. The result
 * contains what was done until then.
 */
export class SyncReplacedError extends SyncAbortedError {
  override readonly name: string = "SyncReplacedError";
}

/** How far a sync is. */
export type SyncProgress =
  | { readonly kind: "finished"; readonly result: SyncResult }
  /** Nothing can be done until a hook or a wave of objects is ready. */
  | {
      readonly kind: "waiting";
      readonly waitingFor: readonly SyncTask[];
      /**
       * Resolves when it makes sense to call `advance` again, or when the operation was replaced; rejects if the
       * signal is aborted.
       */
      changed(signal: AbortSignal): Promise<void>;
    };

/** The progress of an operation as callers see it. Throws SyncAbortedError or SyncReplacedError. */
export function progressOf(progress: UnitProgress, revision: string): SyncProgress {
  if (progress.kind === "ended") {
    return { kind: "finished", result: resultOf(progress, revision) };
  }
  const { running, tasks } = progress;
  return { kind: "waiting", waitingFor: tasks, changed: (signal) => untilChanged(running, signal) };
}

/** The result of an operation that has ended. Throws SyncAbortedError or SyncReplacedError. */
export function resultOf(
  { plan, run, reason }: Extract<UnitProgress, { kind: "ended" }>,
  revision: string,
): SyncResult {
  const result = reportOf(plan, run, revision);
  if (run.ending !== "aborted") {
    return result;
  }
  if (reason instanceof OperationReplacedError) {
    throw new SyncReplacedError(result, { cause: reason });
  }
  throw new SyncAbortedError(result, { cause: reason });
}

async function untilChanged(running: RunningOperation, signal: AbortSignal): Promise<void> {
  try {
    await untilReady(running, signal);
  } catch (error) {
    if (signal.aborted || !running.abandoned.signal.aborted) {
      throw error;
    }
  }
}
