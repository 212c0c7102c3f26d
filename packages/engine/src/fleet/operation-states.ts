import type { Clock } from "@weir/base";
import type { OperationState, SyncUnitEvent } from "./ports.ts";
import type { UnitRecords } from "./unit-records.ts";

/** An operation of a unit, whatever its state. */
export interface OperationIdentity extends Pick<OperationState, "generation" | "cluster" | "startedAt"> {
  readonly unit: string;
}

/** How an operation has ended. */
export type OperationEnding = Pick<OperationState, "phase" | "message" | "result">;

/** The dependencies of OperationStates. */
export interface OperationStatesOptions {
  readonly records: UnitRecords;
  readonly clock: Clock;
  readonly tell: (unit: string, event: SyncUnitEvent) => void;
  readonly completed: (unit: string, state: OperationState) => void;
}

/**
 * Stores the states of operations, and reports their ends. The state of a newer operation is never replaced. All
 * methods reject if the store does.
 */
export class OperationStates {
  readonly #options: OperationStatesOptions;

  constructor(options: OperationStatesOptions) {
    this.#options = options;
  }

  /** The operation runs; the message says what it waits for, if it does. */
  async running(
    { unit, generation, cluster, startedAt }: OperationIdentity,
    message: string,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#change(unit, { phase: "Running", message, generation, cluster, startedAt }, signal);
  }

  /** The operation has ended. */
  async ended(
    { unit, generation, cluster, startedAt }: OperationIdentity,
    ending: OperationEnding,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, completed, tell } = this.#options;
    const state: OperationState = { ...ending, generation, cluster, startedAt, finishedAt: clock.now() };
    await this.#change(unit, state, signal);
    completed(unit, state);
    tell(unit, { kind: "sync-completed", message: `${state.phase}: ${state.message}` });
  }

  /** The record of that cluster stays: only its engine knows what it's still good for. */
  #change(unit: string, state: OperationState, signal: AbortSignal): Promise<void> {
    return this.#options.records.changeOperation(
      unit,
      (before) => {
        const isOfCluster = before?.record !== undefined && before.cluster === state.cluster;
        const record = isOfCluster ? { record: before.record } : {};
        return (before?.generation ?? 0) > state.generation ? undefined : { ...state, ...record };
      },
      signal,
    );
  }
}
