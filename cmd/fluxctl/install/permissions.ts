import type { ApiKinds } from "./parameters.ts";

/** The permissions for some kinds of one API group. */
export interface Rule {
  /** Why fluxd needs it; printed as a comment above the rule. */
  readonly why: string;
  readonly group: string;
  readonly resources: readonly string[];
  /** Only objects with these names; absent for all. */
  readonly names?: readonly string[];
  readonly verbs: readonly string[];
}

/** The verbs that a sync needs; `update` only for objects with a replace annotation. */
const syncing = ["get", "list", "watch", "create", "update", "patch", "delete"];

/**
 * The kinds that applications consist of. Without kinds that limit a namespace (Roles, quotas, limits) or
 * give access to pods: if they're needed in git, they can be granted.
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

/**
 * The permissions that fluxd needs in each namespace that it manages: for the usual kinds and the granted
 * ones.
 */
export function workRules(grants: readonly ApiKinds[]): readonly Rule[] {
  return [
    { why: "to check that the namespace exists", group: "", resources: ["namespaces"], verbs: ["get"] },
    ...usualKinds.map((kinds) => ({ why: whyUsual(kinds), ...kinds, verbs: syncing })),
    ...grants.map((kinds) => ({ why: "to sync the granted kinds", ...kinds, verbs: syncing })),
  ];
}

/**
 * The permissions that fluxd needs in its own namespace: for its SSH key and, with --sync-state=secret, the
 * sync marker.
 */
export const deployKeyRules: readonly Rule[] = [
  {
    why: "to store the SSH key for git and the sync marker",
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
 * Parses a grant such as "helmreleases.helm.fluxcd.io": the plural name of a kind and its API group, if it
 * has one. Undefined if the text isn't valid.
 */
export function parseGrant(text: string): ApiKinds | undefined {
  const [, resource, group = ""] = /^([a-z0-9]+|\*)(?:\.([a-z0-9.-]+))?$/.exec(text) ?? [];
  return resource === undefined ? undefined : { group, resources: [resource] };
}
