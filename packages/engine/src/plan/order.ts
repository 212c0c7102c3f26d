import { isDeletion, type SyncPhase, type SyncTask } from "./task.ts";

const phaseOrder: readonly SyncPhase[] = ["PreSync", "Sync", "PostSync", "SyncFail"];

/** Kinds come before the kinds that depend on them. Kinds in no rank come last. */
const ranks: readonly (readonly string[])[] = [
  ["namespace"],
  ["customresourcedefinition", "serviceaccount", "clusterrole", "role", "persistentvolume", "service"],
  [
    "resourcequota",
    "limitrange",
    "secret",
    "configmap",
    "rolebinding",
    "clusterrolebinding",
    "persistentvolumeclaim",
    "ingress",
  ],
  ["daemonset", "deployment", "replicationcontroller", "replicaset", "job", "cronjob", "statefulset"],
];

const rankByKind: ReadonlyMap<string, number> = new Map(
  ranks.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank] as const)),
);

/** Negative if phase and wave of `a` come before those of `b`. */
export function compareWaves(
  a: Pick<SyncTask, "phase" | "wave">,
  b: Pick<SyncTask, "phase" | "wave">,
): number {
  return phaseOrder.indexOf(a.phase) - phaseOrder.indexOf(b.phase) || a.wave - b.wave;
}

/** A task and its position among the stages of a plan. */
export interface PlacedTask {
  readonly task: SyncTask;
  /** Compared number by number; tasks with equal numbers can run in parallel. */
  readonly stage: readonly [phase: number, wave: number, part: number, rank: number];
}

/** The rank of a kind, 0 to 4: all objects of a rank are applied before the next rank begins. */
export function rankOf(kind: string): number {
  return rankByKind.get(kind.toLowerCase()) ?? ranks.length;
}

/**
 * Sorts tasks in the order of execution: by phase, wave, whether they prune before or after the wave is
 * applied, rank of their kind, and name. Pruning goes through ranks and names in reverse. The order of the
 * input doesn't matter.
 */
export function inOrder(tasks: readonly SyncTask[]): readonly PlacedTask[] {
  return tasks.map((task) => ({ task, stage: stageOf(task) })).sort(comparePlaced);
}

/** True if two tasks can run in parallel. */
export function isSameStage(a: PlacedTask, b: PlacedTask): boolean {
  return compareStages(a, b) === 0;
}

function stageOf(task: SyncTask): PlacedTask["stage"] {
  const rank = rankOf(task.key.kind);
  const phase = phaseOrder.indexOf(task.phase);
  return isDeletion(task)
    ? [phase, task.wave, task.last ? 2 : 0, ranks.length - rank]
    : [phase, task.wave, 1, rank];
}

function comparePlaced(a: PlacedTask, b: PlacedTask): number {
  return compareStages(a, b) || compareNames(a.task, b.task) * (isDeletion(a.task) ? -1 : 1);
}

function compareStages({ stage: a }: PlacedTask, { stage: b }: PlacedTask): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];
}

/** The namespace doesn't matter; the other fields only make the order deterministic. */
function compareNames(a: SyncTask, b: SyncTask): number {
  return compareText(a.key.name, b.key.name) || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
