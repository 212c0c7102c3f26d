import type { V1Deployment, V1DeploymentList } from "@kubernetes/client-node";
import { messageOf } from "@weir/base";
import { type ApiResource, resourcePath } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { RunningInstallError } from "./errors.ts";

/** Which Deployment runs fluxd. */
export interface DeploymentQuery {
  readonly namespace: string;
  /** Labels of its pods; if no pod has them, the names of older installations are tried. */
  readonly labels: ReadonlyMap<string, string>;
  /** Its name; "" to find it by labels. */
  readonly name: string;
}

const deployments: ApiResource = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  resource: "deployments",
  namespaced: true,
  verbs: ["list"],
};

/** The names of pods in older installations. */
const olderNames = ["flux", "fluxd", "weave-flux-agent"];

/** Finds the Deployment that runs fluxd. Rejects with RunningInstallError if there is none, or more than one. */
export async function findDeployment(
  query: DeploymentQuery,
  client: RestClient,
  signal: AbortSignal,
): Promise<V1Deployment> {
  const all = await list(query.namespace, client, signal);
  const found = chooseDeployments(all, query);
  const [deployment, ...others] = found;
  if (others.length > 0) {
    throw new RunningInstallError(
      `namespace ${query.namespace} has more than one Deployment that could run fluxd: ${found.map(nameOf).join(", ")}`,
      ["Use --deployment to select one of them."],
    );
  }
  if (deployment === undefined) {
    throw await notFound(query, client, signal);
  }
  return deployment;
}

/** Chooses by name; without a name by labels, and then by the names of older installations. Pure. */
export function chooseDeployments(
  all: readonly V1Deployment[],
  { name, labels }: Pick<DeploymentQuery, "name" | "labels">,
): readonly V1Deployment[] {
  if (name !== "") {
    return all.filter((each) => nameOf(each) === name);
  }
  const labelled = all.filter((each) => {
    const own = podLabelsOf(each);
    return [...labels].every(([key, value]) => own[key] === value);
  });
  return labelled.length > 0
    ? labelled
    : all.filter((each) => olderNames.includes(podLabelsOf(each)["name"] ?? ""));
}

async function notFound(
  query: DeploymentQuery,
  client: RestClient,
  signal: AbortSignal,
): Promise<RunningInstallError> {
  const { namespace, name } = query;
  const everywhere = await list("", client, signal).catch((): readonly V1Deployment[] => []);
  signal.throwIfAborted();
  const places = new Set(chooseDeployments(everywhere, query).map(namespaceOf));
  const what = name === "" ? "no Deployment that runs fluxd" : `no Deployment ${name}`;
  return new RunningInstallError(
    `namespace ${namespace} has ${what}`,
    places.size > 0
      ? [...places].map((each) => `Namespace ${each} has one: use --k8s-fwd-ns=${each}.`)
      : [
          "Use --context to select the cluster, --k8s-fwd-ns the namespace, and --deployment the Deployment.",
          `To see what runs there: kubectl get deployments -n ${namespace} --show-labels`,
        ],
  );
}

/** Lists them in all namespaces if `namespace` is "". */
async function list(
  namespace: string,
  client: RestClient,
  signal: AbortSignal,
): Promise<readonly V1Deployment[]> {
  const path = resourcePath(deployments, namespace);
  try {
    const { items = [] } = (await client.json({ method: "GET", path, signal })) as Partial<V1DeploymentList>;
    return items;
  } catch (error) {
    signal.throwIfAborted();
    throw new RunningInstallError(
      `cannot list the Deployments in namespace ${namespace}: ${messageOf(error)}`,
      [`You need permission to list Deployments: kubectl auth can-i list deployments -n ${namespace}`],
      { cause: error },
    );
  }
}

function podLabelsOf({ spec }: V1Deployment): Readonly<Record<string, string>> {
  return spec?.template.metadata?.labels ?? {};
}

function nameOf({ metadata }: V1Deployment): string {
  return metadata?.name ?? "";
}

function namespaceOf({ metadata }: V1Deployment): string {
  return metadata?.namespace ?? "";
}
