import { type Environment, messageOf } from "@weir/base";
import { currentNamespace, readKubeConfig } from "@weir/kube/client";
import type { ClusterSettings } from "./settings.ts";
import { StartupError } from "./startup-checks.ts";

/**
 * The namespace of manifests that name none: the flag's, else that of the current context of the usual
 * kubeconfig, else "default". As Flux v1, --kube-config does not count here. Rejects with StartupError where the
 * kubeconfig cannot be read.
 */
export async function defaultNamespace(settings: ClusterSettings, env: Environment): Promise<string> {
  if (settings.defaultNamespace !== "") {
    return settings.defaultNamespace;
  }
  if (settings.embedded) {
    return "default";
  }
  const config = await readKubeConfig({ env }).catch((error: unknown) => {
    throw new StartupError({
      err: `cannot determine the default namespace for manifests: ${messageOf(error)}; fix the file, or set --k8s-default-namespace`,
    });
  });
  return currentNamespace(config) ?? "default";
}
