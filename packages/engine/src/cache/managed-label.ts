import { type KubeObject, labelOf } from "@weir/kube";

/** The label that identifies managed objects. */
export interface ManagedLabel {
  readonly key: string;
  /** Undefined: any value. */
  readonly value?: string;
}

/** The label selector of the managed objects. */
export function selectorOf(label: ManagedLabel): string {
  return label.value === undefined ? label.key : `${label.key}=${label.value}`;
}

/** True for an object with the label. */
export function isManaged(object: KubeObject, label: ManagedLabel): boolean {
  const value = labelOf(object, label.key);
  return value !== undefined && (label.value === undefined || value === label.value);
}
