import { JsonReader, textAt } from "@weir/base";
import { makeResourceId, partsOfResourceId, type ResourceId } from "@weir/flux";
import { type ApiResource, isApiReason, type KubeObject, resourcePath } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { UsageError } from "../command.ts";
import { explained, LogsError } from "./errors.ts";

/** A workload whose pods have logs. */
export interface LoggedWorkload {
  readonly id: ResourceId;
  readonly namespace: string;
  readonly name: string;
  readonly resource: ApiResource;
  /** Selects at least its pods. */
  readonly podSelector: string;
}

const verbs = ["get", "list", "watch"];
const replicaSets: ApiResource = kind("apps", "ReplicaSet", "replicasets");
const jobs: ApiResource = kind("batch", "Job", "jobs");

const resources: ReadonlyMap<string, ApiResource> = new Map(
  [
    kind("apps", "Deployment", "deployments"),
    kind("apps", "StatefulSet", "statefulsets"),
    kind("apps", "DaemonSet", "daemonsets"),
    jobs,
    kind("batch", "CronJob", "cronjobs"),
  ].map((resource) => [resource.kind.toLowerCase(), resource]),
);

/** kubectl's short names. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ["deploy", "deployment"],
  ["sts", "statefulset"],
  ["ds", "daemonset"],
  ["cj", "cronjob"],
]);

/** What is between a workload and its pods, if they don't belong to it directly. */
export const between: ReadonlyMap<string, ApiResource> = new Map([
  ["Deployment", replicaSets],
  ["CronJob", jobs],
]);

function kind(group: string, name: string, resource: string): ApiResource {
  return { group, version: "v1", kind: name, resource, namespaced: true, verbs };
}

/** The ID with the whole name of the kind. Throws UsageError for a kind without pods. */
export function loggedId(id: ResourceId): ResourceId {
  const { namespace, kind: given, name } = partsOfResourceId(id);
  const whole = shortNames.get(given) ?? given;
  if (!resources.has(whole)) {
    throw new UsageError(`${id} has no logs: name a ${[...resources.keys()].join(", ")}`);
  }
  return makeResourceId(namespace, whole, name);
}

/** Looks up a workload. Rejects with LogsError. */
export async function findWorkload(
  client: RestClient,
  id: ResourceId,
  signal: AbortSignal,
): Promise<LoggedWorkload> {
  const { namespace, kind: kindName, name } = partsOfResourceId(id);
  const resource = resources.get(kindName);
  if (resource === undefined) {
    throw new LogsError(`${id} has no logs`, []);
  }
  const object = await getObject(client, { resource, namespace, name }, signal);
  if (object === undefined) {
    throw new LogsError(`there is no ${kindName} ${name} in namespace ${namespace}`, [
      "To see which workloads there are: fluxctl list-workloads -A",
      "The namespace is that of -n, or of the kubeconfig's context; --context selects another cluster.",
    ]);
  }
  return { id, namespace, name, resource, podSelector: podSelectorOf(object) };
}

/** An object to look up. */
interface ObjectPlace {
  readonly resource: ApiResource;
  readonly namespace: string;
  readonly name: string;
}

/** Gets an object; undefined if there is none. Rejects with LogsError, also without permission. */
export async function getObject(
  client: RestClient,
  { resource, namespace, name }: ObjectPlace,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    const path = resourcePath(resource, namespace, name);
    return (await client.json({ method: "GET", path, signal })) as KubeObject;
  } catch (error) {
    if (isApiReason(error, "NotFound")) {
      return undefined;
    }
    throw explained(error, { right: `get ${resource.resource}.${resource.group}`, namespace });
  }
}

/** The selector for requests. Those of a CronJob's pods are unknown, but all pods of Jobs have this label. */
export function podSelectorOf({ kind: kindName, spec }: KubeObject): string {
  if (kindName === "CronJob") {
    return "job-name";
  }
  const selector = new JsonReader(spec ?? null, "spec").object("selector");
  const labels = [...(selector.map("matchLabels", textAt) ?? [])].map(([key, value]) => `${key}=${value}`);
  const expressions = selector.list("matchExpressions", (value, path) => {
    const expression = new JsonReader(value, path);
    const key = expression.text("key");
    const values = (expression.list("values", textAt) ?? []).join(",");
    switch (expression.text("operator")) {
      case "Exists":
        return key;
      case "DoesNotExist":
        return `!${key}`;
      case "NotIn":
        return `${key} notin (${values})`;
      default:
        return `${key} in (${values})`;
    }
  });
  return [...labels, ...(expressions ?? [])].join(",");
}
