import { access, constants } from "node:fs/promises";
import { type Clock, isJsonArray, isJsonObject, type JsonObject, messageOf, systemClock } from "@weir/base";
import type { ClusterCredentials, ClusterTls, RequestHeaders } from "../rest/credentials.ts";
import { dataOrFile } from "./credential-file.ts";
import { fixedIdentity, headersOf, type Identity, renewerOf } from "./identity.ts";
import { inClusterCredentials, podNamespace } from "./in-cluster.ts";
import {
  currentNamespace,
  filledText,
  KubeConfigError,
  type KubeConfigFile,
  textOf,
} from "./kube-config-file.ts";
import { noCluster, type Selection, selectEntries } from "./kube-config-selection.ts";
import { type KubeConfigSource, readKubeConfig } from "./kube-config-source.ts";
import { userIdentity } from "./user-identity.ts";

/** Which cluster to use, and what's known about the machine. */
export interface KubeConfigOptions extends KubeConfigSource {
  /** A context to use instead of the current one. */
  readonly context?: string;
  readonly clock?: Clock;
  /** Where a pod finds its service account; for tests. */
  readonly serviceAccountFolder?: string;
  /** Ends a credential plugin that's still running. */
  readonly signal?: AbortSignal;
}

/**
 * The cluster that kubectl would use: that of the kubeconfig given, else of the files in KUBECONFIG, else of
 * ~/.kube/config. If the kubeconfig selects no cluster, a pod uses the cluster it runs in. Rejects with
 * KubeConfigError.
 */
export async function loadKubeConfig(options: KubeConfigOptions): Promise<ClusterCredentials> {
  const config = await readKubeConfig(options);
  const selection = selectEntries(config, options.context);
  if (selection !== undefined) {
    await checkFiles(selection);
    const namespace = currentNamespace(config, selection.context) ?? (await podNamespace(options));
    return { ...selectedCredentials(selection, options), namespace: namespace ?? "default" };
  }
  const inCluster = await inClusterCredentials(options);
  if (inCluster === undefined) {
    throw noCluster(config, options.context);
  }
  return inCluster;
}

/** The credentials of a context of a kubeconfig that was read. Throws KubeConfigError. */
export function credentialsOf(
  config: KubeConfigFile,
  options: Omit<KubeConfigOptions, "kubeconfig">,
): ClusterCredentials {
  const selection = selectEntries(config, options.context);
  if (selection === undefined) {
    throw noCluster(config, options.context);
  }
  const namespace = currentNamespace(config, selection.context) ?? "default";
  return { ...selectedCredentials(selection, options), namespace };
}

function selectedCredentials(
  selection: Selection,
  { env, clock = systemClock, signal }: Omit<KubeConfigOptions, "kubeconfig">,
): Omit<ClusterCredentials, "namespace"> {
  const { cluster, user, userName } = selection;
  const server = serverOf(selection);
  const about = { user: userName, cluster, env, clock, ...(signal === undefined ? {} : { signal }) };
  // As client-go: nothing that identifies us is sent over a connection that others can read.
  const identity = server.startsWith("https:") ? userIdentity(user, about) : fixedIdentity({});
  const proxyUrl = filledText(cluster, "proxy-url");
  return {
    server,
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    tls: (ends) => clusterTls(cluster, user, identity, ends),
    headers: headersOf(identity, impersonationHeaders(user)),
    renew: renewerOf(identity),
  };
}

/** As client-go: files that can't be read are an error at the start rather than at each connection. */
async function checkFiles({ cluster, clusterName, user, userName }: Selection): Promise<void> {
  await checkFile(cluster, "certificate-authority", `cluster "${clusterName}"`);
  const fields = ["client-certificate", ...(hasCertificate(user) ? ["client-key"] : [])];
  const isOnlyToken = filledText(user, "token") === undefined && isTls(cluster);
  for (const field of [...fields, ...(isOnlyToken ? ["tokenFile"] : [])]) {
    await checkFile(user, field, `user "${userName}"`);
  }
}

async function checkFile(entry: JsonObject, field: string, what: string): Promise<void> {
  const path = filledText(entry, field);
  if (path !== undefined) {
    await access(path, constants.R_OK).catch((cause: unknown) => {
      throw new KubeConfigError(`${what}: cannot read the ${field} ${path}: ${messageOf(cause)}`, { cause });
    });
  }
}

function hasCertificate(user: JsonObject): boolean {
  return (
    (filledText(user, "client-certificate") ?? filledText(user, "client-certificate-data")) !== undefined
  );
}

function isTls(cluster: JsonObject): boolean {
  return filledText(cluster, "server")?.startsWith("https:") ?? false;
}

/** As client-go: a server without a scheme is an http one, and what follows the path is dropped. */
function serverOf({ cluster, clusterName }: Selection): string {
  const server = filledText(cluster, "server") ?? "";
  const url = URL.parse(server.includes("://") ? server : `http://${server}`);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new KubeConfigError(
      `cluster "${clusterName}": server must be an http or https URL, such as https://host:6443`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** What the entries of a kubeconfig say of TLS, with the files read that they name. */
async function clusterTls(
  cluster: JsonObject,
  user: JsonObject,
  identity: Identity,
  signal: AbortSignal | undefined,
): Promise<ClusterTls> {
  const [ca, fileCert, fileKey, proof] = await Promise.all([
    dataOrFile(cluster, "certificate-authority"),
    dataOrFile(user, "client-certificate"),
    dataOrFile(user, "client-key"),
    identity.proof(signal),
  ]);
  // A certificate that a plugin gave counts before the one of the kubeconfig.
  const { cert, key } = proof.cert === undefined ? { cert: fileCert, key: fileKey } : proof;
  const servername = filledText(cluster, "tls-server-name");
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(servername === undefined ? {} : { servername }),
    ...(cluster["insecure-skip-tls-verify"] === true ? { rejectUnauthorized: false } : {}),
  };
}

/** The headers by which a kubeconfig's user acts as another: its fields as, as-uid, as-groups, as-user-extra. */
function impersonationHeaders(user: JsonObject): RequestHeaders {
  const headers: Record<string, string | string[]> = {};
  const name = textOf(user["as"]) ?? "";
  const uid = textOf(user["as-uid"]) ?? "";
  const groups = textsOf(user["as-groups"]);
  if (name !== "") {
    headers["Impersonate-User"] = name;
  }
  if (uid !== "") {
    headers["Impersonate-Uid"] = uid;
  }
  if (groups.length > 0) {
    headers["Impersonate-Group"] = groups;
  }
  const extra = user["as-user-extra"];
  for (const [key, values] of Object.entries(isJsonObject(extra) ? extra : {})) {
    headers[`Impersonate-Extra-${encodeURIComponent(key)}`] = textsOf(values);
  }
  return headers;
}

function textsOf(value: unknown): string[] {
  return isJsonArray(value) ? value.flatMap((item) => textOf(item) ?? []) : [];
}
