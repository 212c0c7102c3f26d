import type { GroupKind } from "@weir/kube";

/** Kinds and groups of Kubernetes whose objects have no status, and so no health. */
const kinds: ReadonlySet<string> = new Set([
  "/ConfigMap",
  "/Endpoints",
  "/Event",
  "/LimitRange",
  "/PodTemplate",
  "/Secret",
  "/ServiceAccount",
  "apps/ControllerRevision",
]);
const groups: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "node.k8s.io",
  "rbac.authorization.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
]);

/** False for kinds that certainly have no health. */
export function mayHaveHealth({ group, kind }: GroupKind): boolean {
  return !groups.has(group) && !kinds.has(`${group}/${kind}`);
}
