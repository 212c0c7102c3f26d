import { stat } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { type Clock, type Environment, systemClock } from "@weir/base";
import type { ClusterCredentials } from "../rest/credentials.ts";
import { readCredentialFile } from "./credential-file.ts";
import { headersOf, renewerOf, tokenFileIdentity } from "./identity.ts";

const usualFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** How a pod finds out about itself. */
interface PodSurroundings {
  readonly env: Environment;
  readonly clock?: Clock;
  /** Where the service account is mounted; for tests. */
  readonly serviceAccountFolder?: string;
}

/** The cluster that this pod runs in, with its service account. Undefined outside of a pod, or without an account. */
export async function inClusterCredentials(pod: PodSurroundings): Promise<ClusterCredentials | undefined> {
  const { env, clock = systemClock, serviceAccountFolder: folder = usualFolder } = pod;
  const server = serverOf(env);
  const namespace = await podNamespace(pod);
  if (server === undefined || namespace === undefined) {
    return undefined;
  }
  const identity = tokenFileIdentity(join(folder, "token"), clock);
  return {
    server,
    namespace,
    tls: async () => ({ ca: await readCredentialFile(join(folder, "ca.crt")) }),
    headers: headersOf(identity, {}),
    renew: renewerOf(identity),
  };
}

/**
 * The namespace of this pod: POD_NAMESPACE, else that of its service account, else "default". Undefined outside of a
 * pod, or without an account.
 */
export async function podNamespace(pod: PodSurroundings): Promise<string | undefined> {
  const { env, serviceAccountFolder: folder = usualFolder } = pod;
  if (serverOf(env) === undefined || !(await isFile(join(folder, "token")))) {
    return undefined;
  }
  const named = env["POD_NAMESPACE"] ?? "";
  const mounted = async (): Promise<string> =>
    readCredentialFile(join(folder, "namespace")).then(String, () => "");
  return named === "" ? (await mounted()).trim() || "default" : named;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isDirectory(),
    () => false,
  );
}

function serverOf(env: Environment): string | undefined {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "";
  return host === "" || port === "" ? undefined : `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
