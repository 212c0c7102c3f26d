/**
 * The entry point `@weir/engine/client-node`: connects an engine to the cluster of a KubeConfig of
 * @kubernetes/client-node, which finds its credentials. Requests are sent by the engine's own client. Only types are
 * imported, so whoever has a KubeConfig brings the package.
 */
import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { messageOf, orAborted } from "@weir/base";
import { KubeConfigError } from "@weir/kube/client";
import type { ClusterCredentials, ClusterTls, RequestHeaders } from "@weir/kube/rest";
import { type ConnectedCluster, type EngineSettings, startEngine } from "./connect-cluster.ts";

/** Which cluster to connect to, and which of its objects are managed. */
export interface KubeConfigConnectOptions extends EngineSettings {
  /** Its current context counts, as it is now; choosing another one later changes nothing. */
  readonly kubeConfig: KubeConfig;
}

/**
 * Starts an engine for the cluster of a KubeConfig, with a client and a cache. Nothing is requested before the first
 * sync. Throws KubeConfigError if the current context has no cluster.
 */
export function connectCluster({ kubeConfig, ...settings }: KubeConfigConnectOptions): ConnectedCluster {
  return startEngine(credentialsOf(kubeConfig), settings);
}

/**
 * The credentials of the current context of a KubeConfig, for a client of your own. What it can renew (token files,
 * plugins, OpenID Connect, authenticators that were added), it renews when it's asked for a request's headers or for a
 * connection. Throws KubeConfigError if the context has no cluster.
 */
export function credentialsOf(kubeConfig: KubeConfig): ClusterCredentials {
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster === null) {
    throw new KubeConfigError("the current context of the KubeConfig has no cluster", { isEmpty: true });
  }
  const { server, proxyUrl = "" } = cluster;
  const ask = server.startsWith("https:") ? asker(asItIs(kubeConfig)) : () => Promise.resolve({});
  return {
    server: server.replace(/\/+$/, ""),
    namespace: kubeConfig.getContextObject(kubeConfig.getCurrentContext())?.namespace ?? "default",
    ...(proxyUrl === "" ? {} : { proxyUrl }),
    tls: async (signal) => tlsIn(await ask(signal)),
    headers: async (signal) => headersIn(await ask(signal)),
    // It keeps a credential until its time is over, whatever the server says of it.
    renew: () => false,
  };
}

/** The same KubeConfig, which goes on if the original loads another file or chooses another context. */
function asItIs(kubeConfig: KubeConfig): KubeConfig {
  const { clusters, users, contexts, currentContext } = kubeConfig;
  const same = Object.create(kubeConfig) as KubeConfig;
  return Object.assign(same, {
    clusters: [...clusters],
    users: [...users],
    contexts: [...contexts],
    currentContext,
  });
}

/** Asks for options of requests, once for all who wait: otherwise, each request at the start would run a plugin. */
function asker(kubeConfig: KubeConfig): (signal?: AbortSignal) => Promise<RequestOptions> {
  let asked: Promise<RequestOptions> | undefined;
  const ask = async (): Promise<RequestOptions> => {
    const options: RequestOptions = {};
    try {
      await kubeConfig.applyToHTTPSOptions(options);
    } catch (cause) {
      throw new KubeConfigError(`the KubeConfig has no credentials: ${messageOf(cause)}`, { cause });
    } finally {
      asked = undefined;
    }
    return options;
  };
  return (signal) => orAborted((asked ??= ask()), signal);
}

function tlsIn({ ca, cert, key, servername, rejectUnauthorized }: RequestOptions): ClusterTls {
  const given = { ca, cert, key, servername, rejectUnauthorized };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ClusterTls;
}

function headersIn({ headers, auth }: RequestOptions): RequestHeaders {
  const basic = auth === undefined || auth === null ? {} : { Authorization: basicOf(auth) };
  const texts = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value).trim()]);
  return { ...basic, ...(Object.fromEntries(texts) as RequestHeaders) };
}

function basicOf(auth: string): string {
  return `Basic ${Buffer.from(auth).toString("base64")}`;
}
