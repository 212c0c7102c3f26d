import { isIPv6 } from "node:net";
import { join } from "node:path";
import type { Clock, Environment } from "@weir/base";
import type { ClusterCredentials } from "../rest/credentials.ts";
import { readCredentialFile } from "./credential-file.ts";
import { headersOf, renewerOf, tokenFileIdentity } from "./identity.ts";

const usualFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The cluster in which this runs as a pod, with the pod's service account; undefined where it is no pod. */
export async function inClusterCredentials(
  env: Environment,
  clock: Clock,
  folder: string = usualFolder,
): Promise<ClusterCredentials | undefined> {
  const server = serverOf(env);
  if (server === undefined) {
    return undefined;
  }
  const identity = tokenFileIdentity(join(folder, "token"), clock);
  const namespace = await readCredentialFile(join(folder, "namespace")).then(String, () => "default");
  return {
    server,
    namespace: namespace.trim(),
    tls: async () => ({ ca: await readCredentialFile(join(folder, "ca.crt")) }),
    headers: headersOf(identity, {}),
    renew: renewerOf(identity),
  };
}

function serverOf(env: Environment): string | undefined {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "";
  return host === "" || port === "" ? undefined : `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
