import type { FluxdFlags } from "./flags.ts";

/** The namespaces that fluxd is restricted to, from the old flag and the new one; empty for all namespaces. */
export function allowedNamespacesOf(
  flags: Pick<FluxdFlags, "k8sNamespaceWhitelist" | "k8sAllowNamespace">,
): readonly string[] {
  return [...new Set([...flags.k8sNamespaceWhitelist.value, ...flags.k8sAllowNamespace.value])];
}
