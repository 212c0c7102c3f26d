import type { KubeObject } from "@weir/kube";

/** True for a CustomResourceDefinition. */
export function isDefinition({ kind, apiVersion }: KubeObject): boolean {
  return kind === "CustomResourceDefinition" && apiVersion.startsWith("apiextensions.k8s.io/");
}

/** True for a Namespace. */
export function isNamespace({ kind, apiVersion }: KubeObject): boolean {
  return kind === "Namespace" && apiVersion === "v1";
}
