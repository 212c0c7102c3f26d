import { type Clock, messageOf } from "@weir/base";
import { type KubeObject, labelOf } from "@weir/kube";
import type { ClusterEngine } from "../cluster-engine.ts";
import type { SyncOptions } from "../options.ts";
import type { SyncTask } from "../sync/task.ts";
import type {
  ManifestGenerator,
  OperationState,
  ReconciliationSettings,
  SyncOperation,
  SyncUnit,
  SyncUnitEvent,
  SyncUnitStatus,
  SyncUnitStore,
} from "../types.ts";
import { instanceLabelOf, withInstanceLabel } from "./instance-label.ts";
import { isSameStatus, statusBy } from "./unit-status.ts";

/** The dependencies of work on units. */
export interface UnitContext {
  readonly store: SyncUnitStore;
  readonly generator: ManifestGenerator;
  readonly clock: Clock;
  readonly settings: () => ReconciliationSettings;
  readonly engineOf: (cluster: string, signal: AbortSignal) => Promise<ClusterEngine>;
  /** Lets listeners review the tasks of a sync. */
  readonly review: (unit: string, tasks: readonly SyncTask[]) => Promise<readonly SyncTask[]>;
  readonly tell: (unit: string, event: SyncUnitEvent) => void;
  readonly completed: (unit: string, state: OperationState) => void;
}

/** Compares a unit with its cluster and stores its status. Rejects only if the store rejects. */
export async function lookAtUnit(unit: SyncUnit, context: UnitContext, signal: AbortSignal): Promise<void> {
  const found = await statusOf(unit, context, signal);
  if (signal.aborted || isSameStatus(found, unit.status)) {
    return;
  }
  // Read again: an operation may have been added in the meantime.
  const { operation } = (await context.store.get(unit.id, signal))?.status ?? unit.status;
  await context.store.setStatus(unit.id, { ...found, ...(operation === undefined ? {} : { operation }) });
  const event =
    found.message === "" ? statusEvent(found) : { kind: "failed" as const, message: found.message };
  context.tell(unit.id, event);
}

/**
 * Runs the pending sync of a unit and stores the result. An operation that the signal interrupts stays
 * pending. Rejects only if the store rejects.
 */
export async function operateOnUnit(
  unit: SyncUnit,
  context: UnitContext,
  signal: AbortSignal,
): Promise<void> {
  const { operation } = unit;
  if (operation === undefined) {
    return;
  }
  const startedAt = context.clock.now();
  await context.store.setStatus(unit.id, {
    ...unit.status,
    operation: { phase: "Running", message: "", startedAt },
  });
  context.tell(unit.id, { kind: "sync-started", message: "" });
  const ended = await outcomeOf(unit, operation, context, signal);
  if (signal.aborted) {
    return;
  }
  const state = { ...ended, startedAt, finishedAt: context.clock.now() };
  await context.store.setOperation(unit.id, undefined);
  const status = (await context.store.get(unit.id, signal))?.status ?? unit.status;
  await context.store.setStatus(unit.id, { ...status, operation: state });
  context.completed(unit.id, state);
  context.tell(unit.id, { kind: "sync-completed", message: `${state.phase}: ${state.message}` });
}

async function statusOf(
  unit: SyncUnit,
  context: UnitContext,
  signal: AbortSignal,
): Promise<Omit<SyncUnitStatus, "operation">> {
  const { instanceLabelKey, resourceOverrides = {} } = context.settings();
  try {
    const { targets, revision } = await targetsOf(unit, context, signal);
    const engine = await context.engineOf(unit.destination.cluster, signal);
    const isManaged = ownedBy(unit, instanceLabelKey);
    const plan = await engine.plan({ targets, isManaged, revision, unit: unit.id, prune: "on" }, signal);
    return statusBy(plan, revision, resourceOverrides);
  } catch (error) {
    return { ...unit.status, sync: "Unknown", message: messageOf(error) };
  }
}

async function outcomeOf(
  unit: SyncUnit,
  operation: SyncOperation,
  context: UnitContext,
  signal: AbortSignal,
): Promise<Pick<OperationState, "phase" | "message" | "result">> {
  const options: SyncOptions = {
    ...operation,
    unit: unit.id,
    review: (tasks) => context.review(unit.id, tasks),
  };
  try {
    const { targets, revision } = await targetsOf(unit, context, signal);
    const engine = await context.engineOf(unit.destination.cluster, signal);
    const isManaged = ownedBy(unit, context.settings().instanceLabelKey);
    const result = await engine.sync({ ...options, targets, isManaged, revision }, signal);
    return { phase: result.phase, message: result.message, result };
  } catch (error) {
    return { phase: "Error", message: messageOf(error) };
  }
}

async function targetsOf(
  { id, source }: SyncUnit,
  { generator, settings }: UnitContext,
  signal: AbortSignal,
) {
  const { manifests, revision } = await generator.generate(source, signal);
  const key = settings().instanceLabelKey;
  return {
    revision,
    targets: manifests.map((manifest) => ({ object: withInstanceLabel(manifest, key, id) })),
  };
}

function ownedBy({ id }: SyncUnit, labelKey: string): (live: KubeObject) => boolean {
  const value = instanceLabelOf(id);
  return (live) => labelOf(live, labelKey) === value;
}

function statusEvent({ sync, health }: Pick<SyncUnitStatus, "sync" | "health">): SyncUnitEvent {
  return { kind: "status-changed", message: `${sync}, ${health}` };
}
