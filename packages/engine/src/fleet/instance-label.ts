import { createHash } from "node:crypto";
import type { KubeObject } from "@weir/kube";

/** A valid label value in Kubernetes. */
const labelValue = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** The label value for a unit: its ID, or a digest if the ID isn't a valid label value. */
export function instanceLabelOf(unit: string): string {
  return labelValue.test(unit)
    ? unit
    : `sha256-${createHash("sha256").update(unit).digest("hex").slice(0, 40)}`;
}

/** The manifest, labeled as an object of that unit. */
export function withInstanceLabel(manifest: KubeObject, key: string, unit: string): KubeObject {
  const labels = { ...manifest.metadata.labels, [key]: instanceLabelOf(unit) };
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}
