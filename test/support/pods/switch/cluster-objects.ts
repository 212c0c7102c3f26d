import type { KubeObject } from "@weir/kube";
import type { KubeEyes } from "@weir/testing";

/** What changes in an object when it's written, or replaced by another of the same name. */
export interface ObjectVersion {
  readonly uid: unknown;
  readonly generation: unknown;
  readonly resourceVersion: unknown;
}

/** The kinds that the cluster itself writes all the time. */
const restless = new Set(["events", "leases", "nodes"]);

/** The versions of all objects of a cluster but those to leave out, by resource, namespace, and name. */
export async function objectVersions(
  kube: KubeEyes,
  leavesOut: (resource: string, object: KubeObject) => boolean,
): Promise<Readonly<Record<string, ObjectVersion>>> {
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
      .map(([resource, { metadata }]) => {
        const { uid, generation, resourceVersion, namespace = "", name } = metadata;
        return [`${resource} ${namespace}/${name}`, { uid, generation, resourceVersion }];
      }),
  );
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
