import type { ApiKinds } from "./parameters.ts";

/** What may be done with some kinds of one API group. */
export interface Rule {
  /** What fluxd needs it for; stands above the rule. */
  readonly why: string;
  readonly group: string;
  readonly resources: readonly string[];
  /** Only objects of these names; absent for all. */
  readonly names?: readonly string[];
  readonly verbs: readonly string[];
}

/** What a sync does with an object; `update` only where an annotation asks to replace it. */
const syncing = ["get", "list", "watch", "create", "update", "patch", "delete"];

/**
 * What applications are made of. Left out is what sets the limits of a namespace (Roles, quotas, limits) or gives
 * a way into pods: who needs it in git can grant it.
 */
const usualKinds: readonly ApiKinds[] = [
  {
    group: "",
    resources: [
      "configmaps",
      "endpoints",
      "persistentvolumeclaims",
      "pods",
      "podtemplates",
      "replicationcontrollers",
      "secrets",
      "serviceaccounts",
      "services",
    ],
  },
  { group: "apps", resources: ["daemonsets", "deployments", "replicasets", "statefulsets"] },
  { group: "autoscaling", resources: ["horizontalpodautoscalers"] },
  { group: "batch", resources: ["cronjobs", "jobs"] },
  { group: "networking.k8s.io", resources: ["ingresses", "networkpolicies"] },
  { group: "policy", resources: ["poddisruptionbudgets"] },
];

/** What fluxd needs in each namespace that it works in, the usual kinds and the granted ones. */
export function workRules(grants: readonly ApiKinds[]): readonly Rule[] {
  return [
    { why: "to see that the namespace is there", group: "", resources: ["namespaces"], verbs: ["get"] },
    ...usualKinds.map((kinds) => ({ why: whyUsual(kinds), ...kinds, verbs: syncing })),
    ...grants.map((kinds) => ({ why: "to sync what was granted", ...kinds, verbs: syncing })),
  ];
}

/** What fluxd needs where it lives: its SSH key, and with --sync-state=secret the mark of the last sync. */
export const deployKeyRules: readonly Rule[] = [
  {
    why: "to keep the SSH key for git, and the mark of the last sync",
    group: "",
    resources: ["secrets"],
    names: ["flux-git-deploy"],
    verbs: ["get", "patch"],
  },
];

function whyUsual({ group }: ApiKinds): string {
  return group === ""
    ? "to sync these kinds, and to read pull secrets when images are scanned"
    : "to sync these kinds";
}

/**
 * Reads "helmreleases.helm.fluxcd.io" as what it grants: a kind by the name that it has in paths, and its API
 * group, if it has one. Undefined where the text is no such name.
 */
export function parseGrant(text: string): ApiKinds | undefined {
  const [, resource, group = ""] = /^([a-z0-9]+|\*)(?:\.([a-z0-9.-]+))?$/.exec(text) ?? [];
  return resource === undefined ? undefined : { group, resources: [resource] };
}
