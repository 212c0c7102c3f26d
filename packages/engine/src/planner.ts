import {
  apiVersionOf,
  type GroupVersionKind,
  gvkOf,
  type KubeObject,
  keyOf,
  type ResourceKey,
} from "@weir/kube";
import type { PatchSchema } from "@weir/kube/patch";
import type { SchemaSource } from "@weir/kube/rest";
import type { ResourceCache } from "./cache/resource-cache.ts";
import { withLastApplied } from "./diff/last-applied.ts";
import { isInSync } from "./diff/normalize.ts";
import type { DriftedObject, SyncedTarget } from "./drift.ts";
import { liveWithoutFields, withoutFields } from "./ignored-fields.ts";
import { overrideFor, type ResourceOverrides } from "./overrides.ts";
import { type HookRun, hookPhasesOf } from "./sync/hooks.ts";
import { type PlanOptions, planSync, type SyncPlan } from "./sync/plan.ts";
import { type LiveState, reconcile, type Target } from "./sync/reconcile.ts";
import type { ApplyMethod } from "./sync/sync-options.ts";
import { TargetMemory } from "./target-memory.ts";
import { isUnavailable, neededBy } from "./unavailable-apis.ts";

/** The dependencies of a planner. */
export interface PlannerOptions {
  readonly cache: ResourceCache;
  readonly schemas: SchemaSource;
  readonly overrides: ResourceOverrides;
}

/** The input of a plan. */
export interface PlanRequest {
  /** Whose targets these are: until its next plan, the cache holds their objects whole. */
  readonly unit: string;
  readonly targets: readonly Target[];
  readonly isManaged: (live: KubeObject) => boolean;
  readonly run: HookRun;
  readonly options: PlanOptions;
}

/**
 * Makes plans from the cache. The first plan with a kind lists the kind's objects; after that, nothing is
 * requested from the server, and unchanged objects aren't compared again.
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
    return this.planNow(request);
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
  planNow({ targets, isManaged, run, options }: Omit<PlanRequest, "unit">): SyncPlan {
    const { cache } = this.#options;
    const managed = options.prune === "off" ? [] : [...Iterator.from(cache.managed()).filter(isManaged)];
    const apis = cache.unavailable();
    const unavailable =
      apis.length === 0 ? [] : neededBy([...targets.map(({ object }) => object), ...managed], apis);
    const prunable =
      unavailable.length === 0 ? managed : managed.filter((live) => !isUnavailable(live, unavailable));
    const reconciliation = reconcile(targets, prunable, (key, target) => this.#liveOf(key, target));
    const plan = planSync({
      ...reconciliation,
      run,
      options,
      others: () => othersAmong(cache.managed(), isManaged),
      compare: (target, live, method) => this.compare(target, live, method),
    });
    return unavailable.length === 0 ? plan : { ...plan, unavailable };
  }

  /** What applying a target would do. */
  compare(target: KubeObject, live: LiveState, method: ApplyMethod) {
    const isKnown = this.#schemas.has(textOf(gvkOf(target)));
    return isKnown ? this.#memory.compare(target, live, method) : "apply";
  }

  /** The drift of a synced object; undefined if it matches its target or can't be read. */
  driftOf({ key, target, method, leave }: SyncedTarget): DriftedObject["what"] | undefined {
    const live = this.#liveOf(key, target);
    if (live.kind === "absent") {
      return "missing";
    }
    const isKnown = live.object !== undefined && this.#options.cache.isHeld(key);
    if (!isKnown || leave(target, live.object) !== undefined) {
      return undefined;
    }
    return this.compare(target, live, method) === "unchanged" ? undefined : "changed";
  }

  /** The server confirmed that there is nothing to send for a target while its object was in that state. */
  verified(key: ResourceKey, target: KubeObject, confirmed: KubeObject): void {
    const live = this.#options.cache.get(key);
    if (live?.metadata.resourceVersion === confirmed.metadata.resourceVersion && live !== undefined) {
      this.#memory.verified(target, live);
    }
  }

  #liveOf(key: ResourceKey, target: KubeObject): LiveState {
    const { cache } = this.#options;
    const { group, kind, namespace } = key;
    if (!cache.isHeld({ group, kind, namespace })) {
      return { kind: "unread" };
    }
    const object = cache.get(key);
    if (object === undefined) {
      return { kind: "absent" };
    }
    // The body of an object that's held slim couldn't be read.
    const isPresent = cache.isHeld(key) && object.apiVersion === target.apiVersion;
    return { kind: isPresent ? "present" : "unread", object };
  }

  async #prepare(unit: string, objects: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    const kinds = new Map(objects.map((object) => [`${object.apiVersion}/${object.kind}`, gvkOf(object)]));
    await Promise.all([
      this.#options.cache.setTargets(unit, objects.map(keyOf), signal),
      ...[...kinds.values()].map((kind) => this.#learn(kind, signal)),
    ]);
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

  /** An object that can't be compared isn't in sync: applying it reports why. */
  #isInSync(target: KubeObject, live: KubeObject): boolean {
    const gvk = gvkOf(target);
    const { ignoreDifferences = [] } = overrideFor(this.#options.overrides, gvk);
    try {
      const [wanted, found] =
        ignoreDifferences.length === 0
          ? [target, live]
          : [withoutFields(target, ignoreDifferences), liveWithoutFields(live, ignoreDifferences)];
      return isInSync(withLastApplied(wanted), found, this.#schemas.get(textOf(gvk)));
    } catch {
      return false;
    }
  }
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
