import { JsonReader, type JsonValue, textOrNullAt } from "@weir/base";
import { corePath, isApiReason } from "@weir/kube";
import { currentNamespace, KubeConfigError, parseKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import type { DaemonPod, MountedVolume } from "../running-install/daemon-pod.ts";

/** The mounted volume that contains a file of the container, and the file's name in it; undefined if none does. */
export function volumeOf(
  file: string,
  { volumes }: Pick<DaemonPod, "volumes">,
): { readonly volume: MountedVolume; readonly file: string } | undefined {
  const volume = volumes.find(({ path }) => file === path || file.startsWith(`${path}/`));
  return volume && { volume, file: volume.subPath || file.slice(volume.path.length + 1) };
}

/**
 * Reads a file of a mounted ConfigMap. Undefined if the volume isn't a ConfigMap (a Secret is never read), if reading
 * it is forbidden, or if it has no such file.
 */
export async function readConfigMapFile(
  { volume, file }: { readonly volume: MountedVolume; readonly file: string },
  { namespace }: Pick<DaemonPod, "namespace">,
  client: RestClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (volume.kind !== "ConfigMap") {
    return undefined;
  }
  const path = corePath(namespace, "configmaps", volume.name);
  try {
    const answer = new JsonReader((await client.json({ method: "GET", path, signal })) as JsonValue);
    return answer.map("data", textOrNullAt)?.get(file);
  } catch (error) {
    if (isApiReason(error, "NotFound") || isApiReason(error, "Forbidden")) {
      return undefined;
    }
    throw error;
  }
}

/** The namespace for manifests without one. */
export interface DefaultNamespace {
  readonly namespace: string;
  /** The volume with the kubeconfig, if it can't be read; then the namespace is a guess. */
  readonly unread: MountedVolume | undefined;
}

/** The namespace that fluxd's kubeconfig sets for manifests without one; otherwise "default". */
export async function namespaceOfKubeConfig(
  pod: DaemonPod,
  client: RestClient,
  signal: AbortSignal,
): Promise<DefaultNamespace> {
  const mounted = volumeOf(pod.env.get("KUBECONFIG") ?? "/root/.kube/config", pod);
  const text = mounted && (await readConfigMapFile(mounted, pod, client, signal));
  const namespace = (text === undefined ? undefined : namespaceIn(text)) ?? "default";
  return { namespace, unread: text === undefined ? mounted?.volume : undefined };
}

function namespaceIn(kubeconfig: string): string | undefined {
  try {
    return currentNamespace(parseKubeConfig(kubeconfig, "/kubeconfig"));
  } catch (error) {
    if (error instanceof KubeConfigError) {
      return undefined;
    }
    throw error;
  }
}
