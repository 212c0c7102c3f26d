import type { Environment } from "@weir/base";
import { currentNamespace, KubeConfigError, readKubeConfig } from "@weir/kube/client";

/**
 * The namespace of a context in the kubeconfig, or of the current context if `context` is "". As Flux v1, an
 * unreadable kubeconfig counts as missing.
 */
export async function namespaceOfContext(env: Environment, context: string): Promise<string | undefined> {
  try {
    const config = await readKubeConfig({ env });
    return context === "" ? currentNamespace(config) : currentNamespace(config, context);
  } catch (error) {
    if (error instanceof KubeConfigError) {
      return undefined;
    }
    throw error;
  }
}

/** The names of the kubeconfig's contexts; empty if it can't be read. */
export async function contextsOf(env: Environment): Promise<readonly string[]> {
  try {
    return [...(await readKubeConfig({ env })).contexts.keys()];
  } catch (error) {
    if (error instanceof KubeConfigError) {
      return [];
    }
    throw error;
  }
}
