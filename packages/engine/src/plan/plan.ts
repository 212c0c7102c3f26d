/**
 * Decides what a sync does: takes targets with their live objects, orphans, and options, and returns a plan:
 * tasks in waves and stages, and the objects left alone, with reasons. Nothing is requested and nothing is
 * done.
 */
import { type KubeObject, keyOf, printKey } from "@weir/kube";
import type { UnavailableApi } from "../cache/resource-cache.ts";
import { withDependenciesFirst } from "./dependencies.ts";
import type { ForeignRule } from "./foreign-rule.ts";
import type { KeptObject, PruneMode } from "./guards.ts";
import { deletePoliciesOf, type HookRun, hookPhasesOf, hookTimeoutOf, namedHook } from "./hooks.ts";
import { type LeaveGuard, type LeaveRule, leaveRuleOf } from "./leave.ts";
import type { NamespaceOptions } from "./namespace.ts";
import { decidePrunes, type PruneLast, type PruneOrder } from "./prune.ts";
import { type PruneLimit, usualPruneLimit } from "./prune-limit.ts";
import type { LiveState, Reconciliation, TargetPair } from "./reconcile.ts";
import { isSelected, type ObjectSelector } from "./selection.ts";
import { inWaves, type Wave } from "./stages.ts";
import type { ApplyMethod, PropagationPolicy } from "./sync-options.ts";
import { type TargetOptions, targetOptionsOf } from "./target-options.ts";
import { type HookTask, isChange, type SyncTask, type TargetTask } from "./task.ts";
import { waveOf } from "./waves.ts";

/** The options of a plan. Those of targets apply to targets that don't say otherwise themselves. */
export interface PlanOptions extends Partial<TargetOptions>, NamespaceOptions, ForeignRule {
  readonly prune: PruneMode;
  readonly pruneLast: PruneLast;
  /** What happens to the objects that pruned objects own; "background" by default. */
  readonly prunePropagationPolicy?: PropagationPolicy;
  /** True: orphans are pruned even if there are no targets at all. */
  readonly allowEmpty: boolean;
  /**
   * How many orphans may be pruned: a number, or a percentage of the live objects that are managed and have no
   * owner, rounded up; 25% by default. If there are more, none is pruned.
   */
  readonly pruneLimit?: PruneLimit;
  /** The UIDs of objects that may be pruned whatever the limit: those of a plan that somebody has looked at. */
  readonly approvedPrunes?: readonly string[];
  /** Hooks run along with changes, always, or never. */
  readonly hooks: "when-changed" | "always" | "never";
  /**
   * Only these objects are applied or pruned, nothing else is touched, and hooks don't run. Such a sync
   * doesn't bring the unit to its revision. Absent: all objects.
   */
  readonly selection?: readonly ObjectSelector[] | undefined;
  /** False: Helm's annotations for hooks have no meaning; they have by default. */
  readonly helmHooks?: boolean;
  /** The method for objects that don't specify one. */
  readonly method: ApplyMethod;
  /** Returns a reason not to prune a live object, or undefined. */
  readonly keep?: ((live: KubeObject) => string | undefined) | undefined;
  /** Returns a reason not to apply a target to its live object, or undefined. */
  readonly leave?: LeaveGuard | undefined;
}

/** What applying a target would do; "apply": unknown until the live object is read. */
export type Comparison = "unchanged" | "patch" | "apply";

/** The input of a plan. */
export interface PlanInput extends Reconciliation {
  readonly run: HookRun;
  readonly options: PlanOptions;
  /** Live objects of other units, as far as they're known. */
  readonly others?: () => Iterable<KubeObject>;
  /** Called if the live object may exist. */
  readonly compare: (target: KubeObject, live: LiveState, method: ApplyMethod) => Comparison;
}

/** What a sync does, in order, and which objects it leaves alone. */
export interface SyncPlan {
  readonly waves: readonly Wave[];
  readonly kept: readonly KeptObject[];
  /**
   * The API versions of targets and of known managed objects that the server couldn't reach: there, it's
   * unknown what differs, and nothing is pruned. Absent if there are none.
   */
  readonly unavailable?: readonly UnavailableApi[];
}

/** Makes the plan of a sync; the order of the input doesn't matter. */
export function planSync(input: PlanInput): SyncPlan {
  const { options } = input;
  const { selection, helmHooks = true } = options;
  const pairs = input.pairs.filter(({ target }) => target.isNamespaceOfUnit !== true);
  const selected = pairs.filter(({ key, target }) => target.apply !== false && isSelected(key, selection));
  const left = whyLeft(selected, leaveRuleOf(options));
  const leftOut = new Set(left.map(({ key }) => key));
  const targets = selected
    .filter(({ key, target }) => !leftOut.has(key) && hookPhasesOf(target.object, helmHooks) === undefined)
    .map((pair) => targetTask(pair, input));
  const hooks = selection === undefined ? selected.flatMap((pair) => hookTasks(pair, input)) : [];
  const { yes: orphans = [], no: unselected = [] } = Object.groupBy(input.orphans, (live) =>
    isSelected(keyOf(live), selection) ? "yes" : "no",
  );
  const prunes = decidePrunes({
    orphans,
    context: { ...options, helmHooks, targets: pairs.length, now: input.run.startedAt },
    budget: { ...budgetOf(options), managed: input.managed },
    order: pruneOrderOf(targets, hooks, options),
    staying: () => [
      ...input.pairs.map(({ target }) => target.object),
      ...unselected,
      ...(input.others?.() ?? []),
    ],
  });
  const namespaces = namespaceTasks(input, [...targets, ...hooks]);
  const changes = [...namespaces, ...targets, ...prunes.tasks];
  return {
    waves: inWaves(withDependenciesFirst([...changes, ...(areHooksRun(changes, options) ? hooks : [])])),
    kept: [...left, ...prunes.kept].sort(compareKept),
  };
}

/** All tasks of a plan, in order. */
export function tasksOf(plan: SyncPlan): readonly SyncTask[] {
  return plan.waves.flatMap((wave) => wave.stages.flat());
}

function whyLeft(pairs: readonly TargetPair[], rule: LeaveRule): readonly KeptObject[] {
  return pairs.flatMap(({ key, target, live }) => {
    const left = rule(target.object, live.kind === "absent" ? undefined : live.object);
    return left === undefined ? [] : [{ key, isTarget: true, ...left }];
  });
}

function targetTask({ id, key, target, live }: TargetPair, { options, compare }: PlanInput): TargetTask {
  const known = live.kind === "absent" ? undefined : live.object;
  const said = targetOptionsOf(target.object, options);
  return {
    id,
    key,
    phase: "Sync",
    wave: waveOf(target.object, options.helmHooks !== false),
    action: live.kind === "absent" ? "create" : compare(target.object, live, said.method),
    target: target.object,
    ...(known === undefined ? {} : { live: known }),
    ...said,
  };
}

/** The task for the namespace of the unit; none if nothing is to be done in it. */
function namespaceTasks(input: PlanInput, others: readonly SyncTask[]): readonly TargetTask[] {
  const pair = input.pairs.find(({ target }) => target.isNamespaceOfUnit === true);
  if (pair === undefined || !others.some(({ key }) => key.namespace === pair.key.name)) {
    return [];
  }
  const isManaged = input.options.managedNamespaceMetadata !== undefined;
  const task = targetTask(pair, {
    ...input,
    options: { ...input.options, method: isManaged ? "server-side" : "client-side" },
  });
  const isDone = !isManaged && pair.live.kind === "present";
  return [
    {
      ...task,
      ...(isManaged ? {} : { createOnly: true }),
      ...(isDone ? { action: "unchanged" as const } : {}),
    },
  ];
}

function pruneOrderOf(
  targets: readonly SyncTask[],
  hooks: readonly SyncTask[],
  { pruneLast, prunePropagationPolicy = "background", helmHooks = true }: PlanOptions,
): PruneOrder {
  const ofSync = hooks.filter(({ phase }) => phase === "Sync");
  return {
    pruneLast,
    lastWave: lastWaveOf(targets),
    finalWave: lastWaveOf([...targets, ...ofSync]) + 1,
    propagation: prunePropagationPolicy,
    helmHooks,
  };
}

function budgetOf({ pruneLimit = usualPruneLimit, approvedPrunes = [] }: PlanOptions) {
  return { pruneLimit, approvedPrunes };
}

function lastWaveOf(tasks: readonly SyncTask[]): number {
  return tasks.reduce((last, { wave }) => Math.max(last, wave), 0);
}

function areHooksRun(changes: readonly SyncTask[], { hooks }: PlanOptions): boolean {
  return hooks === "always" || (hooks === "when-changed" && changes.some(isChange));
}

function hookTasks({ target }: TargetPair, { run, options }: PlanInput): readonly HookTask[] {
  const helm = options.helmHooks !== false;
  const phases = hookPhasesOf(target.object, helm) ?? [];
  if (phases.length === 0) {
    return [];
  }
  const said = targetOptionsOf(target.object, options);
  return phases.map((phase) =>
    hookTask(namedHook(target.object, phase, run), { phase, helm, options: said }),
  );
}

function hookTask(
  target: KubeObject,
  { phase, helm, options }: { readonly helm: boolean } & Pick<HookTask, "phase" | "options">,
): HookTask {
  const key = keyOf(target);
  return {
    id: `${printKey(key)}@${phase}`,
    key,
    phase,
    wave: waveOf(target, helm),
    action: "hook",
    target,
    deletePolicies: deletePoliciesOf(target, helm),
    options,
    timeoutMs: hookTimeoutOf(target),
  };
}

function compareKept(a: KeptObject, b: KeptObject): number {
  const [first, second] = [printKey(a.key), printKey(b.key)];
  return first < second ? -1 : Number(first > second);
}
