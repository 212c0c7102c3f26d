import type { KubeObject } from "@weir/kube";
import type { KubeEyes } from "@weir/testing";

/** What changes in an object when somebody changes it, or replaces it by another of the same name. */
export type ObjectContent = Readonly<Record<string, unknown>>;

/** The kinds that the cluster itself writes all the time. */
const restless = new Set(["events", "leases", "nodes"]);

/** The kinds whose objects are all about the readiness of pods, which comes and goes on a busy machine. */
const derived = new Set(["endpoints", "endpointslices"]);

/**
 * The contents of all objects of a cluster but those to leave out, by resource, namespace, and name. Controllers write
 * the status of their objects whenever they like, so it doesn't count, and neither does the version that this changes.
 */
export async function objectContents(
  kube: KubeEyes,
  leavesOut: (resource: string, object: KubeObject) => boolean,
): Promise<Readonly<Record<string, ObjectContent>>> {
  const collections = (await groupPaths(kube)).map((path) => listable(kube, path));
  const lists = (await Promise.all(collections))
    .flat()
    .map(({ path, resource }) =>
      kube.get(path).then((list) => itemsOf(list).map((item) => [resource, item] as const)),
    );
  const objects = (await Promise.all(lists)).flat();
  return Object.fromEntries(
    objects
      .filter(([resource, object]) => !leavesOut(resource, object))
      .map(([resource, object]) => {
        const { namespace = "", name } = object.metadata;
        return [`${resource} ${namespace}/${name}`, contentOf(resource, object)];
      }),
  );
}

function contentOf(resource: string, object: KubeObject): ObjectContent {
  const metadata = { ...object.metadata, resourceVersion: undefined, managedFields: undefined };
  return derived.has(resource) ? { uid: metadata.uid } : { ...object, status: undefined, metadata };
}

interface Groups {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

async function groupPaths(kube: KubeEyes): Promise<readonly string[]> {
  const { groups } = (await kube.get("/apis")) as unknown as Groups;
  return ["/api/v1", ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
}

interface Resources {
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
}

/** The collections of a group, as the API server lists them. */
async function listable(
  kube: KubeEyes,
  group: string,
): Promise<readonly { readonly path: string; readonly resource: string }[]> {
  const { resources } = (await kube.get(group)) as unknown as Resources;
  return resources
    .filter(({ name, verbs }) => verbs.includes("list") && !name.includes("/") && !restless.has(name))
    .filter(({ name }) => name !== "componentstatuses")
    .map(({ name }) => ({ path: `${group}/${name}`, resource: name }));
}

function itemsOf(list: KubeObject | undefined): readonly KubeObject[] {
  return (list as { readonly items?: readonly KubeObject[] } | undefined)?.items ?? [];
}
