import { JsonReader, type JsonValue, mapBounded, messageOf } from "@weir/base";
import { partsOfResourceId, type ResourceId } from "@weir/flux";
import { isApiReason, resourcePath } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import type { ExportedWorkload } from "../../../src/switching/flux2/install.ts";
import { RunningInstallError } from "../../../src/switching/running-install/errors.ts";

/** The API resource of each kind of workload. */
const kinds: Readonly<Record<string, { readonly group: string; readonly resource: string }>> = {
  deployment: { group: "apps", resource: "deployments" },
  daemonset: { group: "apps", resource: "daemonsets" },
  statefulset: { group: "apps", resource: "statefulsets" },
  cronjob: { group: "batch", resource: "cronjobs" },
};

/** How many groups of workloads are read at the same time. */
const atOnce = 8;

/**
 * Returns the names of the Secrets that pull the images of each workload: the pod's own or, as in Kubernetes, those of
 * its service account. Rejects with RunningInstallError if it can't list them.
 */
export async function readPullSecrets(
  workloads: readonly Pick<ExportedWorkload, "id">[],
  client: RestClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<ResourceId, readonly string[]>> {
  const lists = Map.groupBy(workloads, ({ id }) => {
    const { namespace, kind } = partsOfResourceId(id);
    return `${namespace} ${kind}`;
  });
  const found = await mapBounded([...lists.values()], atOnce, (each) => secretsOf(each, client, signal));
  return new Map(found.flat());
}

async function secretsOf(
  workloads: readonly Pick<ExportedWorkload, "id">[],
  client: RestClient,
  signal: AbortSignal,
): Promise<readonly (readonly [ResourceId, readonly string[]])[]> {
  const [{ id: first } = { id: undefined }] = workloads;
  const { namespace, kind } = first === undefined ? { namespace: "", kind: "" } : partsOfResourceId(first);
  const place = kinds[kind];
  if (place === undefined) {
    return [];
  }
  const list = (group: string, resource: string): Promise<ReadonlyMap<string, JsonReader>> =>
    listByName({ group, resource, namespace }, client, signal);
  const [objects, accounts] = [await list(place.group, place.resource), await list("", "serviceaccounts")];
  return workloads.map(({ id }) => {
    const pod = podSpecOf(objects.get(partsOfResourceId(id).name));
    const account = accounts.get(pod?.text("serviceAccountName") || "default");
    const own = namesIn(pod);
    return [id, own.length > 0 ? own : namesIn(account)] as const;
  });
}

function podSpecOf(object: JsonReader | undefined): JsonReader | undefined {
  const spec = object?.object("spec");
  const outer = spec?.has("jobTemplate") === true ? spec.object("jobTemplate").object("spec") : spec;
  return outer?.object("template").object("spec");
}

function namesIn(holder: JsonReader | undefined): readonly string[] {
  const names = holder?.list("imagePullSecrets", (value, path) => new JsonReader(value, path).text("name"));
  return (names ?? []).filter((name) => name !== "");
}

interface Listed {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
}

async function listByName(
  { group, resource, namespace }: Listed,
  client: RestClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, JsonReader>> {
  const path = resourcePath(
    { group, version: "v1", resource, kind: "", namespaced: true, verbs: [] },
    namespace,
  );
  try {
    const answer = new JsonReader((await client.json({ method: "GET", path, signal })) as JsonValue);
    const items = answer.list("items", (value, at) => new JsonReader(value, at)) ?? [];
    return new Map(items.map((item) => [item.object("metadata").text("name"), item]));
  } catch (error) {
    signal.throwIfAborted();
    // An old API server has CronJobs only in another version.
    if (isApiReason(error, "NotFound")) {
      return new Map();
    }
    throw new RunningInstallError(
      `cannot list ${resource} in namespace ${namespace}: ${messageOf(error)}`,
      [
        `To find the names of pull secrets, fluxctl lists workloads and service accounts. Check your permission: kubectl auth can-i list ${resource} -n ${namespace}`,
      ],
      { cause: error },
    );
  }
}
