/**
 * The checks of `fluxctl check` that ask the cluster: take the flags that select the cluster and fluxd's
 * namespace, and return findings, including failures. Loaded on demand, together with the Kubernetes client.
 */

import type { V1Pod, V1PodList } from "@kubernetes/client-node";
import { type Environment, type Finding, failed, isJsonObject, messageOf } from "@weir/base";
import {
  corePath,
  identityOf,
  isApiReason,
  namespacePath,
  type Right,
  type ServiceAccount,
} from "@weir/kube";
import { createRestClient } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { loadCredentials, podSelectors } from "../daemon/forward.ts";
import type { GlobalFlags } from "../flags/globals.ts";
import { namespaceFinding, rightFindings } from "./before.ts";
import { accountRight, neededToInstall } from "./install-rights.ts";
import { accountOf, podFinding } from "./pod.ts";
import { versionFinding } from "./version.ts";

/** Which cluster to check, and the time limit. */
export interface ClusterToCheck {
  readonly flags: GlobalFlags;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** Checks whether the current user can install fluxd in a namespace. */
export async function checkBefore(namespace: string, cluster: ClusterToCheck): Promise<readonly Finding[]> {
  return withCluster(cluster, async (client, signal) => {
    const isThere = await hasNamespace(client, namespace, signal);
    const rights = neededToInstall(namespace);
    const allowed = await Promise.all(rights.map((right) => mayI(client, right, signal)));
    const lacking = rights.filter((_, index) => allowed[index] !== true);
    return [namespaceFinding(namespace, isThere, lacking), ...rightFindings(namespace, lacking)];
  });
}

/** Finds fluxd's pod and checks its status. */
export async function checkPod(cluster: ClusterToCheck): Promise<readonly Finding[]> {
  const namespace = cluster.flags.forwardNamespace.value;
  const selectors = podSelectors(cluster.flags);
  return withCluster(cluster, async (client, signal) => {
    const pods = await findPods(client, namespace, selectors, signal);
    return [podFinding(pods, namespace, selectors)];
  });
}

/**
 * Checks the permissions of fluxd's service account from outside, for a fluxd that can't report them itself.
 */
export async function checkAccount(cluster: ClusterToCheck): Promise<readonly Finding[]> {
  const namespace = cluster.flags.forwardNamespace.value;
  const findings = await withCluster(cluster, async (client, signal) => {
    const [pod] = await findPods(client, namespace, podSelectors(cluster.flags), signal);
    const account = { namespace, name: accountOf(pod) };
    return [accountRight(identityOf(account).user, await mayDoEverything(client, account, signal))];
  });
  return findings.slice(1);
}

/** Connects, reports on the cluster first, and continues if it responds. */
async function withCluster(
  { flags, env, signal }: ClusterToCheck,
  look: (client: RestClient, signal: AbortSignal) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  let client: RestClient | undefined;
  try {
    const credentials = await loadCredentials(flags.context.value, env, signal);
    client = createRestClient({ credentials, userAgent: "fluxctl", timeoutMs: 30_000 });
    const version = await client.json({ method: "GET", path: "/version", signal });
    const finding = versionFinding(version, client.server);
    return finding.verdict === "failed" ? [finding] : [finding, ...(await look(client, signal))];
  } catch (error) {
    const where = client === undefined ? "" : `${client.server}: `;
    return [failed("cluster", `cannot use the cluster: ${where}${messageOf(error)}`, clusterAdvice)];
  } finally {
    await client?.close();
  }
}

const clusterAdvice =
  "make sure that `kubectl version` works here; use --context or KUBECONFIG to select the cluster";

/** undefined: not permitted to find out. */
async function hasNamespace(
  client: RestClient,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    await client.json({ method: "GET", path: namespacePath(namespace), signal });
    return true;
  } catch (error) {
    if (isApiReason(error, "NotFound")) {
      return false;
    }
    if (isApiReason(error, "Forbidden")) {
      return undefined;
    }
    throw error;
  }
}

async function findPods(
  client: RestClient,
  namespace: string,
  selectors: readonly string[],
  signal: AbortSignal,
): Promise<readonly V1Pod[]> {
  const path = corePath(namespace, "pods");
  for (const labelSelector of selectors) {
    const query = { labelSelector };
    const { items = [] } = (await client.json({ method: "GET", path, query, signal })) as Partial<V1PodList>;
    if (items.length > 0) {
      return items;
    }
  }
  return [];
}

async function mayI(
  client: RestClient,
  { group, resource, namespace, verbs }: Right,
  signal: AbortSignal,
): Promise<boolean> {
  const place = namespace === "" ? {} : { namespace };
  const answers = verbs.map((verb) => {
    const resourceAttributes = { verb, group, resource, ...place };
    return review(client, "SelfSubjectAccessReview", { resourceAttributes }, signal);
  });
  return (await Promise.all(answers)).every(Boolean);
}

/** Whether a service account can do everything. undefined: not permitted to ask. */
async function mayDoEverything(
  client: RestClient,
  account: ServiceAccount,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const resourceAttributes = { group: "*", resource: "*", verb: "*" };
  try {
    return await review(
      client,
      "SubjectAccessReview",
      { ...identityOf(account), resourceAttributes },
      signal,
    );
  } catch (error) {
    if (isApiReason(error, "Forbidden")) {
      return undefined;
    }
    throw error;
  }
}

async function review(client: RestClient, kind: string, spec: object, signal: AbortSignal): Promise<boolean> {
  const answer = await client.json({
    method: "POST",
    path: `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`,
    body: { apiVersion: "authorization.k8s.io/v1", kind, spec },
    signal,
  });
  const status = isJsonObject(answer) ? answer["status"] : undefined;
  return isJsonObject(status) && status["allowed"] === true;
}
