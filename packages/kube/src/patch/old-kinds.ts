import { apiVersionOf, type GroupVersionKind } from "../gvk.ts";

const metadataOnly = "metadata=meta.v1.ObjectMeta";

/** Kinds that moved to another group, by where they were and where they are served now. */
const moved: Readonly<Record<string, string>> = {
  "extensions/v1beta1 DaemonSet": "apps",
  "extensions/v1beta1 Deployment": "apps",
  "extensions/v1beta1 Ingress": "networking.k8s.io",
  "extensions/v1beta1 NetworkPolicy": "networking.k8s.io",
  "extensions/v1beta1 ReplicaSet": "apps",
};

/** Rules as a line of the table, of kinds that have no successor, or one with other rules. */
const ownLines: Readonly<Record<string, string>> = {
  "apps/v1beta1 Scale": metadataOnly,
  "apps/v1beta2 Scale": metadataOnly,
  "extensions/v1beta1 PodSecurityPolicy": metadataOnly,
  "extensions/v1beta1 Scale": metadataOnly,
  "policy/v1beta1 PodDisruptionBudget": `${metadataOnly} status=policy.v1.PodDisruptionBudgetStatus`,
  "policy/v1beta1 PodSecurityPolicy": metadataOnly,
  "settings.k8s.io/v1alpha1 PodPreset": metadataOnly,
};

/** The group that has a kind now: its own, unless it moved. */
export function currentGroupOf(gvk: GroupVersionKind): string {
  const name = nameOf(gvk);
  return (Object.hasOwn(moved, name) ? moved[name] : undefined) ?? gvk.group;
}

/** The rules of a kind that had its own, as a line of the table. */
export function oldLineOf(gvk: GroupVersionKind): string | undefined {
  const name = nameOf(gvk);
  return Object.hasOwn(ownLines, name) ? ownLines[name] : undefined;
}

/** True for a version before v1, v2 …: "v1beta1", "v2alpha1". */
export function isPreRelease(version: string): boolean {
  return /^v\d+(alpha|beta)\d+$/.test(version);
}

function nameOf(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk.group, gvk.version)} ${gvk.kind}`;
}
