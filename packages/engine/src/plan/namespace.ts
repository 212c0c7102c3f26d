import { type KubeObject, keyOf } from "@weir/kube";
import type { Target } from "./reconcile.ts";

/** Labels and annotations for the namespace that a sync creates. */
export interface NamespaceMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The options about the namespace of a unit. */
export interface NamespaceOptions {
  /**
   * This namespace is created before anything else if it doesn't exist. If it's among the targets, only the
   * target counts. It isn't managed, so it's never pruned.
   */
  readonly createNamespace?: string;
  /** With createNamespace: labels and annotations that it gets, even if it already exists. */
  readonly managedNamespaceMetadata?: NamespaceMetadata;
}

/** The targets, with the namespace to create if there is one. */
export function withNamespace(
  targets: readonly Target[],
  { createNamespace, managedNamespaceMetadata }: NamespaceOptions,
): readonly Target[] {
  if (createNamespace === undefined || targets.some(({ object }) => isNamespace(object, createNamespace))) {
    return targets;
  }
  const metadata = { ...managedNamespaceMetadata, name: createNamespace };
  return [{ object: { apiVersion: "v1", kind: "Namespace", metadata }, isNamespaceOfUnit: true }, ...targets];
}

function isNamespace(object: KubeObject, name: string): boolean {
  const key = keyOf(object);
  return key.group === "" && key.kind === "Namespace" && key.name === name;
}
