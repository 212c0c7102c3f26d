import type { SyncPhase, SyncTask } from "./task.ts";

const phaseOrder: readonly SyncPhase[] = ["PreSync", "Sync", "PostSync", "SyncFail"];

/** Kinds that others depend on come before them. What is in no rank comes last. */
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

/** A task and where it stands among the stages of a plan. */
export interface PlacedTask {
  readonly task: SyncTask;
  /** Numbers to be compared one after the other; tasks with the same ones may be done side by side. */
  readonly stage: readonly [phase: number, wave: number, part: number, rank: number];
}

/** The rank of a kind, 0 to 4: a rank is applied whole before the next one begins. */
export function rankOf(kind: string): number {
  return rankByKind.get(kind.toLowerCase()) ?? ranks.length;
}

/**
 * Tasks in the order in which they are done: by phase, wave, whether they prune before or after the wave is
 * applied, rank of their kind and name, pruning backwards through ranks and names. The order that they come in
 * does not matter.
 */
export function inOrder(tasks: readonly SyncTask[]): readonly PlacedTask[] {
  return tasks.map((task) => ({ task, stage: stageOf(task) })).sort(comparePlaced);
}

/** True where two tasks may be done side by side. */
export function isSameStage(a: PlacedTask, b: PlacedTask): boolean {
  return compareStages(a, b) === 0;
}

function stageOf(task: SyncTask): PlacedTask["stage"] {
  const rank = rankOf(task.key.kind);
  const phase = phaseOrder.indexOf(task.phase);
  return task.action === "prune"
    ? [phase, task.wave, task.last ? 2 : 0, ranks.length - rank]
    : [phase, task.wave, 1, rank];
}

function comparePlaced(a: PlacedTask, b: PlacedTask): number {
  return compareStages(a, b) || compareNames(a.task, b.task) * (a.task.action === "prune" ? -1 : 1);
}

function compareStages({ stage: a }: PlacedTask, { stage: b }: PlacedTask): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];
}

/** The namespace does not count; what else tells tasks apart only makes the order certain. */
function compareNames(a: SyncTask, b: SyncTask): number {
  return compareText(a.key.name, b.key.name) || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
