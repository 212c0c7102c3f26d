import { type KubeObject, keyOf, printKey } from "@weir/kube";
import { contentsOf } from "./contents.ts";
import { type KeptObject, type PruneContext, pruneGuardOf } from "./guards.ts";
import { mostPruned, type PruneLimit } from "./prune-limit.ts";
import { type PropagationPolicy, syncOptionsOf } from "./sync-options.ts";
import type { GoingTask, PruneTask, TaskBase } from "./task.ts";
import { mirroredWaves, waveOf } from "./waves.ts";

/** What happens to orphans. */
export interface PruneDecision {
  readonly tasks: readonly (PruneTask | GoingTask)[];
  readonly kept: readonly KeptObject[];
}

/** When orphans are pruned. */
export interface PruneOrder {
  readonly pruneLast: PruneLast;
  /** The last wave of the targets. */
  readonly lastWave: number;
  /** A wave after all other waves. */
  readonly finalWave: number;
  /** What happens to the objects that an orphan owns, unless it says so itself. */
  readonly propagation: PropagationPolicy;
  readonly helmHooks: boolean;
}

/**
 * True: orphans are pruned after everything is applied, whether or not that succeeded; "healthy": in a wave of
 * their own, after everything is applied and healthy; false: in mirrored waves.
 */
export type PruneLast = boolean | "healthy";

/** How much may be pruned. */
export interface PruneBudget {
  readonly pruneLimit: PruneLimit;
  /** The UIDs of objects that may be pruned whatever the limit. */
  readonly approvedPrunes: readonly string[];
  /** The number of the unit's live objects. */
  readonly managed: number;
}

/** The input of decidePrunes. */
export interface PruneInput {
  readonly orphans: readonly KubeObject[];
  readonly context: PruneContext;
  readonly budget: PruneBudget;
  readonly order: PruneOrder;
  /** What isn't an orphan and must not be deleted along with one: the targets, and objects of other units. */
  readonly staying: () => Iterable<KubeObject>;
}

/**
 * Decides for each orphan whether and when it's pruned. Each one is judged alone, then together with what would
 * be deleted along with it, and then all are: if they're too many, none is pruned. As a container of anything
 * that stays is kept, the limit covers all of the unit's objects that a prune deletes.
 */
export function decidePrunes({ orphans, context, budget, order, staying }: PruneInput): PruneDecision {
  const verdicts = new Map(
    orphans.flatMap((live) => {
      const verdict = pruneGuardOf(live, context);
      return verdict === undefined ? [] : [[live, verdict] as const];
    }),
  );
  const free = (): readonly KubeObject[] => orphans.filter((live) => !verdicts.has(live));
  for (const [live, verdict] of keptContainers(free(), verdicts, staying)) {
    verdicts.set(live, verdict);
  }
  const excess = excessOf(free(), budget);
  for (const live of excess === undefined ? [] : free()) {
    verdicts.set(live, { guard: "prune-limit", reason: excess ?? "" });
  }
  const going = new Set(orphans.filter((live) => isGoing(live, context)));
  const pruned = free();
  const waves = [...pruned, ...going].map((live) => waveOf(live, order.helmHooks));
  const mirrored = mirroredWaves(waves);
  const finalWave = waves.reduce((last, wave) => Math.max(last, wave + 1), order.finalWave);
  const place = (live: KubeObject) => placeOf(live, mirrored, { ...order, finalWave });
  return {
    tasks: [
      ...pruned.map((live) => pruneTask(live, place(live), order)),
      ...[...going].map((live): GoingTask => ({ ...place(live), action: "going", live })),
    ],
    kept: [...verdicts]
      .filter(([live]) => !going.has(live))
      .map(([live, verdict]) => keptObject(live, verdict)),
  };
}

type Verdict = Pick<KeptObject, "guard" | "reason">;

/** The containers among the candidates that contain something that stays. */
function keptContainers(
  candidates: readonly KubeObject[],
  verdicts: ReadonlyMap<KubeObject, Verdict>,
  staying: PruneInput["staying"],
): readonly (readonly [KubeObject, Verdict])[] {
  const containers = candidates.flatMap((live) => {
    const contains = contentsOf(live);
    return contains === undefined ? [] : [{ live, contains }];
  });
  if (containers.length === 0) {
    return [];
  }
  const kept = [...verdicts].filter(([, { guard }]) => guard !== "owned" && guard !== "being-deleted");
  const keys = [...kept.map(([live]) => live), ...staying()].map(keyOf);
  return containers.flatMap(({ live, contains }) => {
    const key = keys.find(contains);
    const reason = key && `it contains ${printKey(key)}, which must stay`;
    return reason === undefined ? [] : [[live, { guard: "contains", reason }] as const];
  });
}

/** Why these objects can't be pruned together; undefined if they can. */
function excessOf(
  candidates: readonly KubeObject[],
  { pruneLimit, approvedPrunes, managed }: PruneBudget,
): string | undefined {
  const approved = new Set(approvedPrunes);
  const asking = candidates.filter(({ metadata: { uid } }) => uid === undefined || !approved.has(uid));
  const most = mostPruned(pruneLimit, managed);
  return asking.length <= most
    ? undefined
    : `${candidates.length} of ${managed} objects would be pruned, and the limit is ${printLimit(pruneLimit, most)}`;
}

function printLimit(limit: PruneLimit, most: number): string {
  return typeof limit === "number" ? `${most}` : `${limit}, which is ${most}`;
}

function keptObject(live: KubeObject, verdict: Verdict): KeptObject {
  const { uid } = live.metadata;
  return { key: keyOf(live), ...(uid === undefined ? {} : { uid }), isTarget: false, ...verdict };
}

function pruneTask(
  live: KubeObject,
  place: Place,
  { propagation }: Pick<PruneOrder, "propagation">,
): PruneTask {
  return {
    ...place,
    action: "prune",
    live,
    propagation: syncOptionsOf(live).prunePropagationPolicy ?? propagation,
  };
}

type Place = Pick<PruneTask, keyof TaskBase | "last">;

function placeOf(
  live: KubeObject,
  mirrored: ReadonlyMap<number, number>,
  { pruneLast, lastWave, finalWave, helmHooks }: PruneOrder,
): Place {
  const key = keyOf(live);
  const isFinal = syncOptionsOf(live).pruneLast || pruneLast === "healthy";
  const wave = isFinal ? finalWave : pruneLast ? lastWave : (mirrored.get(waveOf(live, helmHooks)) ?? 0);
  return { id: printKey(key), key, phase: "Sync", wave, last: isFinal || pruneLast };
}

/** True for an orphan that is being deleted, and that the sync would otherwise prune itself. */
function isGoing(live: KubeObject, context: PruneContext): boolean {
  const { deletionTimestamp, ...metadata } = live.metadata;
  return deletionTimestamp !== undefined && pruneGuardOf({ ...live, metadata }, context) === undefined;
}
