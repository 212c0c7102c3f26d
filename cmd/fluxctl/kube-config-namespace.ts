import type { Environment } from "@weir/base";
import { currentNamespace, KubeConfigError, readKubeConfig } from "@weir/kube/client";

/**
 * The namespace that a context of the kubeconfig sets, the current one where `context` is "". As Flux v1, a
 * kubeconfig that cannot be read is as good as none.
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

/** The names of the kubeconfig's contexts; none where it cannot be read. */
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
