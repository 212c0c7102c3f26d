import { createHash } from "node:crypto";
import type { KubeObject } from "@weir/kube";

/** What Kubernetes takes for the value of a label. */
const labelValue = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** The label's value for a unit: its id, or where that cannot be a label's value, a digest of it. */
export function instanceLabelOf(unit: string): string {
  return labelValue.test(unit)
    ? unit
    : `sha256-${createHash("sha256").update(unit).digest("hex").slice(0, 40)}`;
}

/** The manifest as an object of that unit. */
export function withInstanceLabel(manifest: KubeObject, key: string, unit: string): KubeObject {
  const labels = { ...manifest.metadata.labels, [key]: instanceLabelOf(unit) };
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}
