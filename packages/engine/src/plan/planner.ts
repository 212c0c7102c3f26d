import { setImmediate } from "node:timers/promises";
import { forEachBounded } from "@weir/base";
import { apiVersionOf, type GroupVersionKind, gvkOf, type KubeObject, type ResourceKey } from "@weir/kube";
import type { PatchSchema } from "@weir/kube/patch";
import type { SchemaSource } from "@weir/kube/rest";
import type { KnownObject, ResourceCache, UnavailableApi } from "../cache/resource-cache.ts";
import { type Verdict, verdictOn } from "../diff/normalize.ts";
import type { DriftedObject, SyncedTarget } from "../drift/drift.ts";
import type { DiffQuestion, ServerDiff } from "../dry-run/server-diff.ts";
import type { IgnoredFields } from "../ignore/ignored-fields.ts";
import type { ServerSideSettings } from "../operations/server-side-settings.ts";
import { type ServerSideDiff, serverSideDiffOf } from "./compare-options.ts";
import { type HookRun, hookPhasesOf } from "./hooks.ts";
import { identityOf } from "./identity.ts";
import { leaveRuleOf } from "./leave.ts";
import { type PlanOptions, planSync, type SyncPlan } from "./plan.ts";
import { type LiveState, type Reconciliation, reconcile, type Target, type TargetPair } from "./reconcile.ts";
import type { ApplyMethod } from "./sync-options.ts";
import { TargetMemory } from "./target-memory.ts";
import { targetOptionsOf } from "./target-options.ts";
import { isUnavailable, neededBy } from "./unavailable-apis.ts";

/** The dependencies of a planner. */
export interface PlannerOptions {
  readonly cache: ResourceCache;
  readonly schemas: SchemaSource;
  /** The fields that others may set; absent: none. */
  readonly ignored?: IgnoredFields;
  /** Asked about differences that the manifest and the live object don't tell; absent: they count as differences. */
  readonly server?: ServerDiff;
}

/** The input of a plan. */
export interface PlanRequest {
  /** Whose targets these are: until its next plan, the cache holds their objects whole. */
  readonly unit: string;
  readonly targets: readonly Target[];
  readonly isManaged: (live: KubeObject) => boolean;
  readonly run: HookRun;
  readonly options: PlanOptions;
  readonly serverSideDiff?: ServerSideDiff | undefined;
  readonly serverSide?: ServerSideSettings | undefined;
}

/** The targets with what the cache knows of them, and what it can't know. */
interface KnownState extends Reconciliation {
  readonly unavailable: readonly UnavailableApi[];
}

const serverSideMethod = { method: "server-side" } as const;

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
  readonly #memory = new TargetMemory((target, live) => this.#isInSync(target, live));
  readonly #planned = new Set<string>();
  /** Patch rules by kind; a kind whose rules couldn't be fetched is missing. */
  readonly #schemas = new Map<string, PatchSchema | undefined>();

  constructor(options: PlannerOptions) {
    this.#options = options;
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

  /** What applying a target would do. */
  compare(target: KubeObject, live: LiveState, method: ApplyMethod) {
    const isKnown = this.#schemas.has(textOf(gvkOf(target)));
    return isKnown ? this.#memory.compare(target, live, method) : "apply";
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
    return this.compare(target, liveStateOf(found, target), method) === "unchanged" ? undefined : "changed";
  }

  /** The server said what a target makes of its object, which was in that state then. */
  verified(key: ResourceKey, target: KubeObject, confirmed: KubeObject): void {
    const live = this.#options.cache.get(key);
    if (live !== undefined && live.metadata.resourceVersion === confirmed.metadata.resourceVersion) {
      this.#memory.verified(target, live);
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
      compare: (target, live, method) => this.compare(target, live, method),
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
      await Promise.all([this.#learn(gvk, signal), this.#options.cache.watchKinds([gvk], signal)]);
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
        this.#memory.isInSync(target, live.object);
      }
    }
  }

  async #learn(gvk: GroupVersionKind, signal: AbortSignal): Promise<void> {
    const name = textOf(gvk);
    if (this.#schemas.has(name)) {
      return;
    }
    try {
      this.#schemas.set(name, await this.#options.schemas.schemaFor(gvk, signal));
    } catch {
      // Its objects are applied without comparison, and each reports its own error.
    }
  }

  /** Finds out, from the server, which differences are none; resolves to false if it needn't be asked. */
  async #settle(pairs: readonly TargetPair[], request: PlanRequest, signal: AbortSignal): Promise<boolean> {
    const { server } = this.#options;
    if (server === undefined) {
      return false;
    }
    const leave = leaveRuleOf(request.options);
    const doubts = pairs.flatMap((pair) => this.#doubtAbout(pair, request, signal) ?? []);
    const questions = doubts.filter(({ target, live }) => leave(target, live) === undefined);
    await forEachBounded(
      questions,
      parallelism,
      async (question) => {
        const { target, live } = question;
        if (await server.changesNothing(question, signal)) {
          this.#memory.verified(target, live);
        } else {
          this.#memory.refuted(target, live);
        }
      },
      signal,
    );
    signal.throwIfAborted();
    return questions.length > 0;
  }

  /** What to ask the server about a target; undefined if there is nothing to ask. */
  #doubtAbout(
    { target: { object: target, apply, isNamespaceOfUnit = false }, live: state }: TargetPair,
    { options, serverSideDiff = "auto", serverSide }: PlanRequest,
    signal: AbortSignal,
  ): DiffQuestion | undefined {
    if (apply === false || hookPhasesOf(target, options.helmHooks !== false) !== undefined) {
      return undefined;
    }
    const live = state.kind === "absent" ? undefined : state.object;
    // As in the plan: the namespace of a unit is applied server-side, or left as it is.
    const said = { ...targetOptionsOf(target, options), ...(isNamespaceOfUnit && serverSideMethod) };
    const when = serverSideDiffOf(target) ?? serverSideDiff;
    const isKnown = this.#schemas.has(textOf(gvkOf(target)));
    if (live === undefined || !isKnown) {
      return undefined;
    }
    if (when !== "always" && !this.#mayBeSame(target, state, said.method, when)) {
      return undefined;
    }
    return {
      target,
      live,
      options: said,
      serverSide,
      when,
      needsOwners: (this.#options.ignored?.selectionFor(target)?.managers ?? []).length > 0,
      verdictOn: (there) => this.#verdictOn(target, there, signal),
      cut: (before, after) => this.#cut(target, [before, after], signal),
    };
  }

  /** True if there is a difference, which may be none. */
  #mayBeSame(target: KubeObject, live: LiveState, method: ApplyMethod, when: ServerSideDiff): boolean {
    if (this.compare(target, live, method) === "unchanged") {
      return false;
    }
    if (method === "server-side") {
      return when !== "never";
    }
    if (live.kind !== "present") {
      return true;
    }
    const verdict = this.#verdictNow(target, live.object);
    return verdict === undefined || (verdict === "doubtful" && when !== "never");
  }

  /** An object that can't be compared isn't in sync: applying it reports why. */
  #isInSync(target: KubeObject, live: KubeObject): boolean {
    return this.#verdictNow(target, live) === "in-sync";
  }

  /** The verdict, if it can be given at once; undefined if the fields to ignore have to be found first. */
  #verdictNow(target: KubeObject, live: KubeObject): Verdict | undefined {
    const { ignored } = this.#options;
    try {
      const verdict = this.#compare(target, live);
      const selection = verdict === "in-sync" ? undefined : ignored?.selectionFor(target);
      if (ignored === undefined || selection === undefined) {
        return verdict;
      }
      const cut = ignored.cutNow(selection, { target, live });
      return cut && this.#compare(cut.target, cut.live);
    } catch {
      return "changed";
    }
  }

  /** The verdict without what is ignored. Rejects if that can't be found. */
  async #verdictOn(target: KubeObject, live: KubeObject, signal: AbortSignal): Promise<Verdict> {
    const { ignored } = this.#options;
    const selection = ignored?.selectionFor(target);
    if (ignored === undefined || selection === undefined) {
      return this.#compare(target, live);
    }
    const cut = await ignored.cut(selection, { target, live }, signal);
    return this.#compare(cut.target, cut.live);
  }

  async #cut(
    target: KubeObject,
    [before, after]: readonly [KubeObject, KubeObject],
    signal: AbortSignal,
  ): Promise<readonly [KubeObject, KubeObject]> {
    const { ignored } = this.#options;
    const selection = ignored?.selectionFor(target);
    if (ignored === undefined || selection === undefined) {
      return [before, after];
    }
    const one = await ignored.cut(selection, { target, live: before }, signal);
    // A dry run may give fields to another manager.
    const managedFields = before.metadata["managedFields"];
    const then = { ...after, metadata: { ...after.metadata, managedFields } };
    const other = await ignored.cut(selection, { target, live: then }, signal);
    return [one.live, other.live];
  }

  #compare(target: KubeObject, live: KubeObject): Verdict {
    return verdictOn(target, live, this.#schemas.get(textOf(gvkOf(target))));
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

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${apiVersionOf(group, version)}/${kind}`;
}
