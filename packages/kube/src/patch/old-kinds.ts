import { apiVersionOf, type GroupVersionKind } from "../gvk.ts";

const metadataOnly = "metadata=meta.v1.ObjectMeta";

/** Kinds that moved to another group: old group and kind to current group. */
const moved: Readonly<Record<string, string>> = {
  "extensions/v1beta1 DaemonSet": "apps",
  "extensions/v1beta1 Deployment": "apps",
  "extensions/v1beta1 Ingress": "networking.k8s.io",
  "extensions/v1beta1 NetworkPolicy": "networking.k8s.io",
  "extensions/v1beta1 ReplicaSet": "apps",
};

/** Rules, in the table's format, of kinds without a successor or with rules that differ from it. */
const ownLines: Readonly<Record<string, string>> = {
  "apps/v1beta1 Scale": metadataOnly,
  "apps/v1beta2 Scale": metadataOnly,
  "extensions/v1beta1 PodSecurityPolicy": metadataOnly,
  "extensions/v1beta1 Scale": metadataOnly,
  "policy/v1beta1 PodDisruptionBudget": `${metadataOnly} status=policy.v1.PodDisruptionBudgetStatus`,
  "policy/v1beta1 PodSecurityPolicy": metadataOnly,
  "settings.k8s.io/v1alpha1 PodPreset": metadataOnly,
};

/** The group that serves a kind now: its own, unless the kind moved. */
export function currentGroupOf(gvk: GroupVersionKind): string {
  const name = nameOf(gvk);
  return (Object.hasOwn(moved, name) ? moved[name] : undefined) ?? gvk.group;
}

/** The own rules of an old kind, as a line in the table's format. */
export function oldLineOf(gvk: GroupVersionKind): string | undefined {
  const name = nameOf(gvk);
  return Object.hasOwn(ownLines, name) ? ownLines[name] : undefined;
}

/** True for a version before v1, v2, …: "v1beta1", "v2alpha1". */
export function isPreRelease(version: string): boolean {
  return /^v\d+(alpha|beta)\d+$/.test(version);
}

function nameOf(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk.group, gvk.version)} ${gvk.kind}`;
}
