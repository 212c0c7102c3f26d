import { type Environment, messageOf } from "@weir/base";
import { currentNamespace, readKubeConfig } from "@weir/kube/client";
import type { ClusterSettings } from "./settings.ts";
import { StartupError } from "./startup-checks.ts";

/**
 * The namespace for manifests that name none: the flag's, or else that of the current context in the default
 * kubeconfig, or else "default". As in Flux v1, --kube-config doesn't matter here. Rejects with StartupError if the
 * kubeconfig can't be read.
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
