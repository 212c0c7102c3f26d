/**
 * What a sync is going to do: in go targets with their live objects, orphans and options, out comes a plan, which
 * is tasks in waves and stages, and what is left alone with the reasons. Nothing is asked and nothing is done.
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

/** What is asked of a plan. */
export interface PlanOptions {
  readonly prune: PruneMode;
  /** True: orphans go after everything is applied, whether or not that went well; false: in mirrored waves. */
  readonly pruneLast: boolean;
  /** True: orphans are pruned though there are no targets at all. */
  readonly allowEmpty: boolean;
  /** Hooks are run along with changes, in any case, or not. */
  readonly hooks: "when-changed" | "always" | "never";
  /** For objects that do not ask for one. */
  readonly method: ApplyMethod;
  /** A reason not to prune a live object, or undefined. */
  readonly keep?: ((live: KubeObject) => string | undefined) | undefined;
  /** A reason not to apply a target to its live object, or undefined. */
  readonly leave?: LeaveGuard | undefined;
}

/** A reason not to apply a target; `live` is undefined where there is no such object, or nothing known of it. */
export type LeaveGuard = (target: KubeObject, live: KubeObject | undefined) => string | undefined;

/** What applying a target comes to; "apply": its live object has to be read before that can be said. */
export type Comparison = "unchanged" | "patch" | "apply";

/** What a plan is made from. */
export interface PlanInput extends Reconciliation {
  readonly run: HookRun;
  readonly options: PlanOptions;
  /** Asked where the live object is not absent. */
  readonly compare: (target: KubeObject, live: LiveState, method: ApplyMethod) => Comparison;
}

/** What a sync is going to do, in its order, and what it leaves alone. */
export interface SyncPlan {
  readonly waves: readonly Wave[];
  readonly kept: readonly KeptObject[];
}

/** Makes the plan of a sync; the order of the input does not matter. */
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

/** All tasks of a plan in their order. */
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
