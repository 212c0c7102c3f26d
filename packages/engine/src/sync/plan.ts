/**
 * Decides what a sync does: takes targets with their live objects, orphans, and options, and returns a plan:
 * tasks in waves and stages, and the objects left alone, with reasons. Nothing is requested and nothing is
 * done.
 */
import { type KubeObject, keyOf, printKey } from "@weir/kube";
import type { KeptObject, PruneMode } from "./guards.ts";
import { deletePoliciesOf, type HookRun, hookPhasesOf, namedHook } from "./hooks.ts";
import { decidePrunes } from "./prune.ts";
import type { LiveState, Reconciliation, TargetPair } from "./reconcile.ts";
import { inWaves, type Wave } from "./stages.ts";
import { type ApplyMethod, syncOptionsOf } from "./sync-options.ts";
import { type HookTask, isChange, type SyncPhase, type SyncTask, type TargetTask } from "./task.ts";
import { waveOf } from "./waves.ts";

/** The options of a plan. */
export interface PlanOptions {
  readonly prune: PruneMode;
  /**
   * True: orphans are pruned after everything is applied, whether or not that succeeded; false: in mirrored
   * waves.
   */
  readonly pruneLast: boolean;
  /** True: orphans are pruned even if there are no targets at all. */
  readonly allowEmpty: boolean;
  /** Hooks run along with changes, always, or never. */
  readonly hooks: "when-changed" | "always" | "never";
  /** The method for objects that don't specify one. */
  readonly method: ApplyMethod;
  /** Returns a reason not to prune a live object, or undefined. */
  readonly keep?: ((live: KubeObject) => string | undefined) | undefined;
  /** Returns a reason not to apply a target to its live object, or undefined. */
  readonly leave?: LeaveGuard | undefined;
}

/** Returns a reason not to apply a target; `live` is undefined if the object doesn't exist or isn't known. */
export type LeaveGuard = (target: KubeObject, live: KubeObject | undefined) => string | undefined;

/** What applying a target would do; "apply": unknown until the live object is read. */
export type Comparison = "unchanged" | "patch" | "apply";

/** The input of a plan. */
export interface PlanInput extends Reconciliation {
  readonly run: HookRun;
  readonly options: PlanOptions;
  /** Called if the live object may exist. */
  readonly compare: (target: KubeObject, live: LiveState, method: ApplyMethod) => Comparison;
}

/** What a sync does, in order, and which objects it leaves alone. */
export interface SyncPlan {
  readonly waves: readonly Wave[];
  readonly kept: readonly KeptObject[];
}

/** Makes the plan of a sync; the order of the input doesn't matter. */
export function planSync(input: PlanInput): SyncPlan {
  const { pairs, orphans, options } = input;
  const applied = pairs.filter(({ target }) => target.apply !== false);
  const left = applied.flatMap((pair) => whyLeft(pair, options));
  const leftOut = new Set(left.map(({ key }) => key));
  const targets = applied
    .filter(({ key, target }) => !leftOut.has(key) && hookPhasesOf(target.object) === undefined)
    .map((pair) => targetTask(pair, input));
  const prunes = decidePrunes(
    orphans,
    { ...options, targets: pairs.length },
    {
      pruneLast: options.pruneLast,
      lastWave: targets.reduce((last, { wave }) => Math.max(last, wave), 0),
    },
  );
  const changes = [...targets, ...prunes.tasks];
  const hooks = areHooksRun(changes, options) ? applied.flatMap((pair) => hookTasks(pair, input.run)) : [];
  return {
    waves: inWaves([...changes, ...hooks]),
    kept: [...left, ...prunes.kept].sort(compareKept),
  };
}

/** All tasks of a plan, in order. */
export function tasksOf(plan: SyncPlan): readonly SyncTask[] {
  return plan.waves.flatMap((wave) => wave.stages.flat());
}

function whyLeft({ key, target, live }: TargetPair, { leave }: PlanOptions): readonly KeptObject[] {
  const reason = leave?.(target.object, live.kind === "absent" ? undefined : live.object);
  return reason === undefined ? [] : [{ key, isTarget: true, guard: "kept", reason }];
}

function targetTask({ id, key, target, live }: TargetPair, { options, compare }: PlanInput): TargetTask {
  const { method = options.method, validate } = syncOptionsOf(target.object);
  const known = live.kind === "absent" ? undefined : live.object;
  return {
    id,
    key,
    phase: "Sync",
    wave: waveOf(target.object),
    action: live.kind === "absent" ? "create" : compare(target.object, live, method),
    target: target.object,
    ...(known === undefined ? {} : { live: known }),
    method,
    validate,
  };
}

function areHooksRun(changes: readonly SyncTask[], { hooks }: PlanOptions): boolean {
  return hooks === "always" || (hooks === "when-changed" && changes.some(isChange));
}

function hookTasks({ target }: TargetPair, run: HookRun): readonly HookTask[] {
  const phases = hookPhasesOf(target.object) ?? [];
  return phases.map((phase) => hookTask(namedHook(target.object, phase, run), phase));
}

function hookTask(target: KubeObject, phase: SyncPhase): HookTask {
  const key = keyOf(target);
  return {
    id: `${printKey(key)}@${phase}`,
    key,
    phase,
    wave: waveOf(target),
    action: "hook",
    target,
    deletePolicies: deletePoliciesOf(target),
  };
}

function compareKept(a: KeptObject, b: KeptObject): number {
  const [first, second] = [printKey(a.key), printKey(b.key)];
  return first < second ? -1 : Number(first > second);
}
