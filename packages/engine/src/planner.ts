import { apiVersionOf, type GroupVersionKind, gvkOf, type KubeObject, type ResourceKey } from "@weir/kube";
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

/** What plans are made with. */
export interface PlannerOptions {
  readonly cache: ResourceCache;
  readonly schemas: SchemaSource;
  readonly overrides: ResourceOverrides;
}

/** What a plan is asked for. */
export interface PlanRequest {
  readonly targets: readonly Target[];
  readonly isManaged: (live: KubeObject) => boolean;
  readonly run: HookRun;
  readonly options: PlanOptions;
}

/**
 * Makes plans from what the cache holds. The first plan that a kind appears in has its objects listed; after that
 * nothing is asked of the server, and nothing is compared again that has not changed.
 */
export class Planner {
  readonly #options: PlannerOptions;
  readonly #memory = new TargetMemory((target, live) => this.#isInSync(target, live));
  /** Patch rules by kind; a kind whose rules could not be had is missing. */
  readonly #schemas = new Map<string, PatchSchema | undefined>();

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  /** The plan for some targets. Rejects with DuplicateTargetError, and where the cluster cannot be listed. */
  async plan(request: PlanRequest, signal: AbortSignal): Promise<SyncPlan> {
    const { cache } = this.#options;
    const kinds = kindsOf(request.targets);
    await Promise.all([
      cache.holdKinds(kinds, signal),
      request.options.prune === "off" ? undefined : cache.watchManaged(signal),
      ...kinds.map((kind) => this.#learn(kind, signal)),
    ]);
    return this.planNow(request);
  }

  /** The plan by what is known at this moment. Throws DuplicateTargetError. */
  planNow({ targets, isManaged, run, options }: PlanRequest): SyncPlan {
    const { cache } = this.#options;
    const managed = options.prune === "off" ? [] : Iterator.from(cache.managed()).filter(isManaged);
    const reconciliation = reconcile(targets, managed, (key, target) => this.#liveOf(key, target));
    return planSync({
      ...reconciliation,
      run,
      options,
      compare: (target, live, method) => this.compare(target, live, method),
    });
  }

  /** What applying a target comes to. */
  compare(target: KubeObject, live: LiveState, method: ApplyMethod) {
    const isKnown = this.#schemas.has(textOf(gvkOf(target)));
    return isKnown ? this.#memory.compare(target, live, method) : "apply";
  }

  /** How a live object is that was synced before; undefined where it is as its target says, or cannot be seen. */
  driftOf({ key, target, method, leave }: SyncedTarget): DriftedObject["what"] | undefined {
    const live = this.#liveOf(key, target);
    if (live.kind === "absent") {
      return "missing";
    }
    if (live.object === undefined || leave?.(target, live.object) !== undefined) {
      return undefined;
    }
    return this.compare(target, live, method) === "unchanged" ? undefined : "changed";
  }

  /** The server said that nothing is to be sent for a target. */
  verified(key: ResourceKey, target: KubeObject): void {
    const live = this.#options.cache.get(key);
    if (live !== undefined) {
      this.#memory.verified(target, live);
    }
  }

  #liveOf(key: ResourceKey, target: KubeObject): LiveState {
    const { cache } = this.#options;
    if (!cache.isHeld(key)) {
      return { kind: "unread" };
    }
    const object = cache.get(key);
    if (object === undefined) {
      return { kind: "absent" };
    }
    return { kind: object.apiVersion === target.apiVersion ? "present" : "unread", object };
  }

  async #learn(gvk: GroupVersionKind, signal: AbortSignal): Promise<void> {
    const name = textOf(gvk);
    if (this.#schemas.has(name)) {
      return;
    }
    try {
      this.#schemas.set(name, await this.#options.schemas.schemaFor(gvk, signal));
    } catch {
      // Its objects are applied without a comparison, and each of them will tell what is wrong.
    }
  }

  /** What cannot be compared is not in sync: applying it will say why. */
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

/** The kinds of what is applied; hooks are followed one by one. */
function kindsOf(targets: readonly Target[]): readonly GroupVersionKind[] {
  const kinds = new Map<string, GroupVersionKind>();
  for (const { object, apply } of targets) {
    if (apply !== false && hookPhasesOf(object) === undefined) {
      const gvk = gvkOf(object);
      kinds.set(textOf(gvk), gvk);
    }
  }
  return [...kinds.values()];
}

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${apiVersionOf(group, version)}/${kind}`;
}
