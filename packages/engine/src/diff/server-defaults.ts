import type { JsonValue } from "@weir/base";

/** A value that the API server sets in a map if the manifest omits it. */
export interface ServerDefault {
  /** The path to the maps, with "*" for each item of a list: "spec.webhooks.*". */
  readonly path: string;
  readonly field: string;
  readonly value: JsonValue;
  /** Only in maps with this member. */
  readonly where?: readonly [field: string, value: JsonValue];
}

/**
 * The defaults of a kind ("apps/Deployment") within parts that a patch replaces as a whole: lists without a
 * merge key, and maps whose other keys the patch clears. Elsewhere, a default doesn't cause a difference.
 */
export function defaultsOf(kind: string): readonly ServerDefault[] {
  return [...(Object.hasOwn(defaults, kind) ? (defaults[kind] ?? []) : []), ...podDefaults(kind)];
}

const claimTemplates = "spec.volumeClaimTemplates.*";

const defaults: Readonly<Record<string, readonly ServerDefault[]>> = {
  "apps/Deployment": [
    { path: "spec.strategy", field: "type", value: "RollingUpdate" },
    {
      path: "spec.strategy",
      field: "rollingUpdate",
      value: { maxSurge: "25%", maxUnavailable: "25%" },
      where: ["type", "RollingUpdate"],
    },
  ],
  "apps/StatefulSet": [
    { path: claimTemplates, field: "apiVersion", value: "v1" },
    { path: claimTemplates, field: "kind", value: "PersistentVolumeClaim" },
    { path: claimTemplates, field: "status", value: {} },
    { path: `${claimTemplates}.status`, field: "phase", value: "Pending" },
    { path: `${claimTemplates}.spec`, field: "volumeMode", value: "Filesystem" },
  ],
  "networking.k8s.io/NetworkPolicy": [
    { path: "spec.ingress.*.ports.*", field: "protocol", value: "TCP" },
    { path: "spec.egress.*.ports.*", field: "protocol", value: "TCP" },
  ],
  "rbac.authorization.k8s.io/RoleBinding": subjectDefaults(),
  "rbac.authorization.k8s.io/ClusterRoleBinding": subjectDefaults(),
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": [
    { path: "webhooks.*.rules.*", field: "scope", value: "*" },
  ],
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": [
    { path: "webhooks.*.rules.*", field: "scope", value: "*" },
  ],
};

function subjectDefaults(): readonly ServerDefault[] {
  return ["User", "Group"].map((kind) => ({
    path: "subjects.*",
    field: "apiGroup",
    value: "rbac.authorization.k8s.io",
    where: ["kind", kind],
  }));
}

/** The path to the pod spec in kinds that run pods. */
const podSpecs: Readonly<Record<string, string>> = {
  "/Pod": "spec",
  "/ReplicationController": "spec.template.spec",
  "apps/DaemonSet": "spec.template.spec",
  "apps/Deployment": "spec.template.spec",
  "apps/ReplicaSet": "spec.template.spec",
  "apps/StatefulSet": "spec.template.spec",
  "batch/CronJob": "spec.jobTemplate.spec.template.spec",
  "batch/Job": "spec.template.spec",
};

function podDefaults(kind: string): readonly ServerDefault[] {
  const spec = Object.hasOwn(podSpecs, kind) ? podSpecs[kind] : undefined;
  const sources = `${spec ?? ""}.volumes.*.projected.sources.*`;
  return spec === undefined
    ? []
    : [
        { path: `${spec}.volumes.*.downwardAPI.items.*.fieldRef`, field: "apiVersion", value: "v1" },
        { path: `${sources}.downwardAPI.items.*.fieldRef`, field: "apiVersion", value: "v1" },
        { path: `${sources}.serviceAccountToken`, field: "expirationSeconds", value: 3600 },
      ];
}
