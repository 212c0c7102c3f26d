import { type Clock, type JsonObject, systemClock } from "@weir/base";
import type { ClusterCredentials } from "../rest/credentials.ts";
import { clusterTls } from "./cluster-tls.ts";
import { headersOf, renewerOf } from "./identity.ts";
import { impersonationHeaders } from "./impersonation.ts";
import { inClusterCredentials } from "./in-cluster.ts";
import { currentNamespace, filledText, KubeConfigError, type KubeConfigFile } from "./kube-config-file.ts";
import { type KubeConfigSource, readKubeConfig } from "./kube-config-source.ts";
import { userIdentity } from "./user-identity.ts";

/** Which cluster is meant, and what is known of the machine. */
export interface KubeConfigOptions extends KubeConfigSource {
  /** A context other than the current one. */
  readonly context?: string;
  readonly clock?: Clock;
  /** Where a pod finds its service account; for tests. */
  readonly serviceAccountFolder?: string;
  /** Ends a credential plugin that still runs. */
  readonly signal?: AbortSignal;
}

/**
 * The cluster that kubectl would speak to: the kubeconfig given, else those of KUBECONFIG, else ~/.kube/config,
 * else, in a pod, the cluster it runs in. Rejects with KubeConfigError where there is none or it makes no sense.
 */
export async function loadKubeConfig(options: KubeConfigOptions): Promise<ClusterCredentials> {
  const config = await readKubeConfig(options);
  const nothing = config.clusters.size === 0 && config.contexts.size === 0;
  const { env, clock = systemClock, serviceAccountFolder } = options;
  const inCluster = nothing ? await inClusterCredentials(env, clock, serviceAccountFolder) : undefined;
  return inCluster ?? credentialsOf(config, options);
}

/** The credentials of a context of a kubeconfig that has been read. Throws KubeConfigError. */
export function credentialsOf(
  config: KubeConfigFile,
  options: Omit<KubeConfigOptions, "kubeconfig">,
): ClusterCredentials {
  const { context, name } = contextOf(config, options.context);
  const cluster = entryOf(config.clusters, filledText(context, "cluster") ?? "", "cluster", name);
  const userName = filledText(context, "user");
  const user = userName === undefined ? {} : entryOf(config.users, userName, "user", name);
  const { env, clock = systemClock, signal } = options;
  const about = { user: userName ?? "", cluster, env, clock, ...(signal === undefined ? {} : { signal }) };
  const identity = userIdentity(user, about);
  const proxyUrl = filledText(cluster, "proxy-url");
  return {
    server: serverOf(cluster, name),
    namespace: currentNamespace(config, name) ?? "default",
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    tls: (ends) => clusterTls(cluster, user, identity, ends),
    headers: headersOf(identity, impersonationHeaders(user)),
    renew: renewerOf(identity),
  };
}

function contextOf(config: KubeConfigFile, wanted: string | undefined) {
  const name = wanted ?? config.currentContext;
  const context = config.contexts.get(name);
  if (context === undefined) {
    const what =
      name === "" ? "no kubeconfig with a current context was found" : `context "${name}" does not exist`;
    throw new KubeConfigError(what);
  }
  return { name, context };
}

function entryOf(
  entries: ReadonlyMap<string, JsonObject>,
  name: string,
  sort: string,
  context: string,
): JsonObject {
  const entry = entries.get(name);
  if (entry === undefined) {
    throw new KubeConfigError(`context "${context}": ${sort} "${name}" does not exist`);
  }
  return entry;
}

/** As client-go: a server without a scheme is an http one, and none at all is the one of kubectl proxy's time. */
function serverOf(cluster: JsonObject, context: string): string {
  const server = filledText(cluster, "server") ?? "http://localhost:8080";
  const text = server.includes("://") ? server : `http://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new KubeConfigError(`context "${context}": the server of its cluster is no http(s) URL`);
  }
  return url.href.replace(/\/+$/, "");
}
