import { type KubeObject, keyOf, type ObjectMeta, printKey } from "@weir/kube";
import { type PlanInput, type PlanOptions, planSync, type SyncPlan } from "../../src/plan/plan.ts";
import { type LiveState, reconcile } from "../../src/plan/reconcile.ts";

/** An object in as few words as a test of orders and plans needs: thing("apps/v1 Deployment", "demo/web"). */
export function thing(type: string, place: string, metadata: ObjectMeta = {}): KubeObject {
  const [apiVersion = "", kind = ""] = type.split(" ");
  const slash = place.indexOf("/");
  const namespace = slash < 0 ? {} : { namespace: place.slice(0, slash) };
  return { apiVersion, kind, metadata: { name: place.slice(slash + 1), ...namespace, ...metadata } };
}

/** Metadata with what an object says of its sync, e.g. said({ "sync-wave": "1" }). */
export function said(words: Readonly<Record<string, string>>): ObjectMeta {
  const entries = Object.entries(words).map(
    ([name, value]) => [`argocd.argoproj.io/${name}`, value] as const,
  );
  return { annotations: Object.fromEntries(entries) };
}

/** What a test's cluster looks like to a plan. */
export interface Scene {
  readonly targets: readonly KubeObject[];
  /** Names of targets that are wanted and not applied. */
  readonly notApplied?: readonly string[];
  /** Live counterparts of targets; those listed as `changed` differ from them. */
  readonly live?: readonly KubeObject[];
  readonly changed?: readonly string[];
  readonly managed?: readonly KubeObject[];
  readonly options?: Partial<PlanOptions>;
  readonly others?: readonly KubeObject[];
  readonly run?: PlanInput["run"];
}

/** The plan for a scene; live objects are in step with their targets unless they are listed as changed. */
export function planOf(scene: Scene): SyncPlan {
  const { targets, notApplied = [], live = [], changed = [], managed = [], options = {} } = scene;
  const liveById = new Map(live.map((object) => [printKey(keyOf(object)), object]));
  return planSync({
    ...reconcile(
      targets.map((object) => ({ object, apply: !notApplied.includes(object.metadata.name ?? "") })),
      managed,
      (key): LiveState => {
        const object = liveById.get(printKey(key));
        return object === undefined ? { kind: "absent" } : { kind: "present", object };
      },
    ),
    run: scene.run ?? { revision: "abcdef0123", startedAt: 1_000 },
    options: {
      prune: "on",
      pruneLast: true,
      allowEmpty: false,
      pruneLimit: "100%",
      hooks: "when-changed",
      method: "client-side",
      ...options,
    },
    others: () => scene.others ?? [],
    compare: (target) => (changed.includes(target.metadata.name ?? "") ? "patch" : "unchanged"),
  });
}
