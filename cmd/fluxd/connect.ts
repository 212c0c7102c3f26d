import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type BackoffPolicy,
  backoffDelay,
  type Clock,
  type Environment,
  isJsonObject,
  type Logger,
  messageOf,
} from "@weir/base";
import {
  currentNamespace,
  defaultPaths,
  KubeConfigError,
  type KubeConfigSource,
  loadKubeConfig,
  readKubeConfig,
} from "@weir/kube/client";
import type { ClusterCredentials, RestClient } from "@weir/kube/rest";
import { type ConnectContext, startOwnCluster } from "./own-cluster.ts";
import type { ClusterSettings } from "./settings.ts";
import { StartupError } from "./startup-checks.ts";

/** Where a pod finds its own credentials and namespace. */
const podSecrets = "/var/run/secrets/kubernetes.io";

const reconnect: BackoffPolicy = { initialMs: 250, maxMs: 5_000, factor: 2, jitter: 0.3 };

/**
 * Connects to a cluster: with the given or default kubeconfig, or else with the pod's service account; or starts the
 * cluster in this process. Rejects with StartupError.
 */
export async function connectCluster(
  settings: ClusterSettings,
  context: ConnectContext,
): Promise<ClusterCredentials> {
  const { env, logger } = context;
  if (settings.embedded) {
    return startOwnCluster(settings.embedded.folder, context);
  }
  const source = await kubeConfigSource(settings.kubeConfig, env);
  if (source.kubeconfig !== undefined) {
    logger.log({ msg: `Using kube config: ${JSON.stringify(source.kubeconfig)} to connect to the cluster` });
  }
  return loadKubeConfig(source).catch((error: unknown) => {
    throw unusableKubeConfig(error, source);
  });
}

/**
 * As in Flux v1, a file from --kube-config takes precedence over KUBECONFIG, and so does ~/.kube/config, its default.
 */
async function kubeConfigSource(path: string, env: Environment): Promise<KubeConfigSource> {
  const usual = env["HOME"] === undefined ? "" : join(env["HOME"], ".kube", "config");
  const isNamed = path !== "" && (path !== usual || (await isThere(path)));
  return isNamed ? { kubeconfig: path, env } : { env };
}

/** Adds to the error which kubeconfig files were searched, unless it says so, and the remedy. */
function unusableKubeConfig(error: unknown, { kubeconfig, env }: KubeConfigSource): StartupError {
  const files = kubeconfig === undefined ? defaultPaths(env) : [kubeconfig];
  const place = files.length === 0 ? "neither KUBECONFIG nor HOME is set" : `looked in ${files.join(", ")}`;
  const namesFile = error instanceof KubeConfigError && error.file !== undefined;
  const where = namesFile ? "" : ` (${place})`;
  return new StartupError({
    err: `cannot determine which cluster to sync: ${messageOf(error)}${where}; set KUBECONFIG to a valid kubeconfig file`,
  });
}

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

/** Waits until the API server responds, logs once if it doesn't, and resolves to its version. */
export async function untilAnswered(
  client: RestClient,
  logger: Logger,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  for (let failures = 1; ; failures += 1) {
    try {
      const answer = await client.json({ method: "GET", path: "/version", signal });
      const version = isJsonObject(answer) ? answer["gitVersion"] : undefined;
      return typeof version === "string" ? version : "";
    } catch (error) {
      signal.throwIfAborted();
      if (failures === 1) {
        logger.log({
          err: `the API server ${client.server} is not available yet, retrying: ${messageOf(error)}`,
        });
      }
      await clock.sleep(backoffDelay(reconnect, failures), signal);
    }
  }
}

/** True in a pod, or in an environment that looks like one. */
export function isInPod(): Promise<boolean> {
  return isThere(podSecrets);
}

/** The namespace of our pod. Rejects if there's none. */
export async function podNamespace(): Promise<string> {
  return (await readFile(join(podSecrets, "serviceaccount", "namespace"), "utf8")).trim();
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
