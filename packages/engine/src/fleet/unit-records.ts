import type { OperationRecord, OperationStore } from "../run/operation-record.ts";
import { OperationConflictError } from "../sync/operation.ts";
import type { OutsideCalls } from "./outside-calls.ts";
import type { OperationState, SyncUnit, SyncUnitStatus, SyncUnitStore } from "./ports.ts";
import { Turns } from "./turns.ts";

/** Changes a status; undefined: it stays as it is. */
export type StatusChange = (status: SyncUnitStatus) => SyncUnitStatus | undefined;

/** The dependencies of UnitRecords. */
export interface UnitRecordsOptions {
  readonly store: SyncUnitStore;
  readonly calls: OutsideCalls;
  /** How long one call to the store may take. */
  readonly limitMs: number;
}

/**
 * The units in the store. Changes of a unit's status come one after the other, each from what is stored, so
 * that a comparison and a sync of the same unit don't undo each other's changes.
 */
export class UnitRecords {
  readonly #options: UnitRecordsOptions;
  readonly #turns = new Turns();

  constructor(options: UnitRecordsOptions) {
    this.#options = options;
  }

  list(signal: AbortSignal): Promise<readonly SyncUnit[]> {
    const { store, calls, limitMs } = this.#options;
    return calls.make({ what: "listing the units", limitMs, signal }, (ends) => store.list(ends));
  }

  /** Undefined if the unit is gone. */
  get(id: string, signal: AbortSignal): Promise<SyncUnit | undefined> {
    const { store, calls, limitMs } = this.#options;
    return calls.make({ what: `reading unit "${id}" from the store`, limitMs, signal }, (ends) =>
      store.get(id, ends),
    );
  }

  /** Changes the status of a unit, if the unit is still there. Rejects if the store does. */
  async change(id: string, change: StatusChange, signal: AbortSignal): Promise<void> {
    await this.#turns.run(id, () => this.#changeNow(id, change, signal), signal);
  }

  /** Changes the operation in the status of a unit. */
  changeOperation(
    id: string,
    change: (state: OperationState | undefined) => OperationState | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const inStatus: StatusChange = (status) => {
      const operation = change(status.operation);
      return operation === undefined ? undefined : { ...status, operation };
    };
    return this.change(id, inStatus, signal);
  }

  /** Keeps the records of syncs in one cluster in the statuses of their units. */
  operationsIn(cluster: string): OperationStore {
    return {
      load: async (id, signal) => {
        const state = (await this.get(id, signal))?.status.operation;
        return state?.cluster === cluster ? state.record : undefined;
      },
      save: (id, record, signal) =>
        this.changeOperation(id, (state) => withRecord(state, record, cluster), signal),
    };
  }

  async #changeNow(id: string, change: StatusChange, signal: AbortSignal): Promise<void> {
    const { store, calls, limitMs } = this.#options;
    const unit = await this.get(id, signal);
    const status = unit === undefined ? undefined : change(unit.status);
    if (status !== undefined) {
      const what = `storing the status of unit "${id}"`;
      await calls.make({ what, limitMs, signal }, (ends) => store.setStatus(id, status, ends));
    }
  }
}

function withRecord(
  state: OperationState | undefined,
  record: OperationRecord | undefined,
  cluster: string,
): OperationState | undefined {
  if (state === undefined || (state.record === undefined && record === undefined)) {
    return undefined;
  }
  const isReplaced = state.cluster !== cluster || state.generation > (record?.generation ?? 0);
  if (record !== undefined && isReplaced) {
    throw new OperationConflictError("a newer operation has replaced this one");
  }
  return state.cluster === cluster ? { ...state, record } : undefined;
}
