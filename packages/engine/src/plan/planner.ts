import { setImmediate } from "node:timers/promises";
import { forEachBounded } from "@weir/base";
import { gvkOf, type KubeObject, type ResourceKey } from "@weir/kube";
import type { KnownObject, ResourceCache, UnavailableApi } from "../cache/resource-cache.ts";
import type { DriftedObject, SyncedTarget } from "../drift/drift-memory.ts";
import type { ServerDiff } from "../dry-run/server-diff.ts";
import type { Deed } from "../operations/context.ts";
import { type Asked, Comparer, type ComparerOptions } from "./comparer.ts";
import { type HookRun, hookPhasesOf } from "./hooks.ts";
import { identityOf } from "./identity.ts";
import { leaveRuleOf } from "./leave.ts";
import { type PlanOptions, planSync, type SyncPlan, tasksOf } from "./plan.ts";
import { type LiveState, type Reconciliation, reconcile, type Target, type TargetPair } from "./reconcile.ts";
import { isUnavailable, neededBy } from "./unavailable-apis.ts";

/** The dependencies of a planner. */
export interface PlannerOptions extends ComparerOptions {
  readonly cache: ResourceCache;
  /** Asked about differences that the manifest and the live object don't tell; absent: they count as differences. */
  readonly server?: ServerDiff;
}

/** The input of a plan. */
export interface PlanRequest extends Asked {
  /** Whose targets these are: until its next plan, the cache holds their objects whole. */
  readonly unit: string;
  readonly targets: readonly Target[];
  readonly isManaged: (live: KubeObject) => boolean;
  readonly run: HookRun;
}

/** The targets with what the cache knows of them, and what it can't know. */
interface KnownState extends Reconciliation {
  readonly unavailable: readonly UnavailableApi[];
}

/** How many targets are compared, while kinds are still loading, before what has arrived is read. */
const comparedAtATime = 50;

/** How many questions the server is asked at the same time. */
const parallelism = 24;

/**
 * Makes plans from the cache. The first plan with a kind lists the kind's objects; after that, the server is asked
 * only about differences that may be none, and unchanged objects aren't compared again.
 */
export class Planner {
  readonly #options: PlannerOptions;
  readonly #comparer: Comparer;
  readonly #planned = new Set<string>();

  constructor(options: PlannerOptions) {
    this.#options = options;
    this.#comparer = new Comparer(options);
  }

  /** Starts to list the kinds of targets that a plan for the unit will probably have. */
  expectTargets(unit: string, { helmHooks }: Pick<PlanOptions, "helmHooks">) {
    const expected = this.#options.cache.expectTargets(unit);
    const kinds = new Set<string>();
    return {
      add: (target: Target): void => {
        const { apiVersion, kind } = target.object;
        const name = `${apiVersion}/${kind}`;
        if (!kinds.has(name) && isCompared(target, helmHooks !== false)) {
          kinds.add(name);
          expected.add(gvkOf(target.object));
        }
      },
      [Symbol.dispose]: (): void => expected[Symbol.dispose](),
    };
  }

  /** Makes the plan for targets. Rejects with DuplicateTargetError, or if the cluster can't be listed. */
  async plan(request: PlanRequest, signal: AbortSignal): Promise<SyncPlan> {
    const { cache } = this.#options;
    const helmHooks = request.options.helmHooks !== false;
    const compared = request.targets.filter((target) => isCompared(target, helmHooks));
    this.#planned.add(request.unit);
    await Promise.all([
      this.#prepare(
        request.unit,
        compared.map(({ object }) => object),
        signal,
      ),
      request.options.prune === "off" ? undefined : cache.watchManaged(signal),
    ]);
    const known = this.#reconcile(request);
    const hasAsked = await this.#settle(known.pairs, request, signal);
    return this.#planOf(hasAsked ? this.#reconcile(request) : known, request);
  }

  /**
   * Learns what finding the drift of a unit's objects needs, unless the unit has been planned. Rejects if the
   * cluster can't be listed.
   */
  async prepareFor(unit: string, synced: readonly SyncedTarget[], signal: AbortSignal): Promise<void> {
    if (!this.#planned.has(unit)) {
      await this.#prepare(
        unit,
        synced.map(({ target }) => target),
        signal,
      );
    }
  }

  /** Makes the plan from what is known now. Throws DuplicateTargetError. */
  planNow(request: Omit<PlanRequest, "unit">): SyncPlan {
    return this.#planOf(this.#reconcile(request), request);
  }

  /** The drift of a synced object; undefined if it matches its target or can't be read. */
  driftOf({ key, target, method, leave }: SyncedTarget): DriftedObject["what"] | undefined {
    const found = this.#options.cache.find(key);
    if (found.kind === "absent") {
      return "missing";
    }
    if (found.kind !== "whole" || leave(target, found.object) !== undefined) {
      return undefined;
    }
    return this.#comparer.compare(target, liveStateOf(found, target), method) === "unchanged"
      ? undefined
      : "changed";
  }

  /** What was done according to a plan: from the server's answers, it's known what each target makes of its object. */
  done(plan: SyncPlan, deeds: ReadonlyMap<string, Deed>): void {
    for (const task of tasksOf(plan)) {
      const deed = deeds.get(task.id);
      if ("method" in task && deed?.live !== undefined && deed.change !== "none") {
        const live = this.#options.cache.get(task.key);
        if (live !== undefined && live.metadata.resourceVersion === deed.live.metadata.resourceVersion) {
          this.#comparer.told(task.target, live, true);
        }
      }
    }
  }

  /** Matches the targets with what the cache knows now. */
  #reconcile({ targets, isManaged, options }: Omit<PlanRequest, "unit">): KnownState {
    const { cache } = this.#options;
    const managed = options.prune === "off" ? [] : [...Iterator.from(cache.managed()).filter(isManaged)];
    const apis = cache.unavailable();
    const unavailable =
      apis.length === 0 ? [] : neededBy([...targets.map(({ object }) => object), ...managed], apis);
    const prunable =
      unavailable.length === 0 ? managed : managed.filter((live) => !isUnavailable(live, unavailable));
    const liveOf = (key: ResourceKey, target: KubeObject) => liveStateOf(cache.find(key), target);
    return { ...reconcile(targets, prunable, liveOf), unavailable };
  }

  #planOf(
    { unavailable, ...known }: KnownState,
    { isManaged, run, options }: Omit<PlanRequest, "unit">,
  ): SyncPlan {
    const plan = planSync({
      ...known,
      run,
      options,
      others: () => othersAmong(this.#options.cache.managed(), isManaged),
      compare: (target, live, method) => this.#comparer.compare(target, live, method),
    });
    return unavailable.length === 0 ? plan : { ...plan, unavailable };
  }

  async #prepare(unit: string, objects: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    const { cache } = this.#options;
    const keys = objects.map((object) => identityOf(object).key);
    const loaded = new AbortController();
    const loading = cache.setTargets(unit, keys, signal).finally(() => loaded.abort());
    const byKind = Map.groupBy(objects, ({ apiVersion, kind }) => `${apiVersion}/${kind}`);
    await Promise.all([
      loading,
      ...[...byKind.values()].map((targets) => this.#getReady(targets, { signal, loaded: loaded.signal })),
    ]);
  }

  /** Learns what comparing targets of one kind needs, and compares them while other kinds are still loading. */
  async #getReady(
    targets: readonly KubeObject[],
    { signal, loaded }: { readonly signal: AbortSignal; readonly loaded: AbortSignal },
  ): Promise<void> {
    const [first] = targets;
    if (first !== undefined) {
      const gvk = gvkOf(first);
      await Promise.all([this.#comparer.learn(gvk, signal), this.#options.cache.watchKinds([gvk], signal)]);
      await this.#compareAhead(targets, loaded);
    }
  }

  /** The plan finds the results in the memory. Stops when everything is loaded: then the plan goes on by itself. */
  async #compareAhead(targets: readonly KubeObject[], loaded: AbortSignal): Promise<void> {
    for (const [index, target] of targets.entries()) {
      if (index % comparedAtATime === 0) {
        await setImmediate();
      }
      if (loaded.aborted) {
        return;
      }
      const live = liveStateOf(this.#options.cache.find(identityOf(target).key), target);
      if (live.kind === "present") {
        this.#comparer.isInSync(target, live.object);
      }
    }
  }

  /** Finds out, from the server, which differences are none; resolves to false if it needn't be asked. */
  async #settle(pairs: readonly TargetPair[], request: PlanRequest, signal: AbortSignal): Promise<boolean> {
    const { server } = this.#options;
    if (server === undefined) {
      return false;
    }
    const leave = leaveRuleOf(request.options);
    const doubts = pairs.flatMap((pair) => this.#comparer.questionAbout(pair, request, signal) ?? []);
    const questions = doubts.filter(({ target, live }) => leave(target, live) === undefined);
    await forEachBounded(
      questions,
      parallelism,
      async (question) => {
        const { target, live } = question;
        this.#comparer.told(target, live, await server.changesNothing(question, signal));
      },
      signal,
    );
    signal.throwIfAborted();
    return questions.length > 0;
  }
}

/** What a target's live object is as far as the target's API version is concerned. */
function liveStateOf(found: KnownObject, target: KubeObject): LiveState {
  if (found.kind === "unlisted") {
    return { kind: "unread" };
  }
  if (found.kind === "absent") {
    return { kind: "absent" };
  }
  // The body of an object that's held slim couldn't be read.
  const isPresent = found.kind === "whole" && found.object.apiVersion === target.apiVersion;
  return { kind: isPresent ? "present" : "unread", object: found.object };
}

/** The live objects of other units, without what Kubernetes deletes together with an owner. */
function othersAmong(
  labeled: Iterable<KubeObject>,
  isManaged: (live: KubeObject) => boolean,
): Iterable<KubeObject> {
  return Iterator.from(labeled).filter((live) => {
    const { ownerReferences = [], deletionTimestamp } = live.metadata;
    return ownerReferences.length === 0 && deletionTimestamp === undefined && !isManaged(live);
  });
}

/** True for targets that are applied; hooks are followed one by one. */
function isCompared({ object, apply }: Target, helmHooks: boolean): boolean {
  return apply !== false && hookPhasesOf(object, helmHooks) === undefined;
}
