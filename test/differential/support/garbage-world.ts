import { silentLogger, systemClock } from "@weir/base";
import { type ClusterCache, createClusterCache } from "@weir/engine";
import type { KubeObject, ObjectMeta } from "@weir/kube";
import { createDiscovery } from "@weir/kube/rest";
import { ScriptedClient } from "@weir/testing";
import { isExcludedKind } from "../../../src/engine-adapter/excluded-kinds.ts";

const never = new AbortController().signal;

/** The label by which Flux v1 finds again what it applied. */
export const markLabel = "fluxcd.io/sync-gc-mark";

/** A kind in one version, as the server tells of it. Kinds of one store show the same objects. */
export interface ServedVersion {
  readonly groupVersion: string;
  readonly kind: string;
  readonly store: string;
  readonly namespaced: boolean;
}

/** What the server serves, in its order. */
export const served: readonly ServedVersion[] = [
  { groupVersion: "v1", kind: "ConfigMap", store: "configmaps", namespaced: true },
  { groupVersion: "v1", kind: "Endpoints", store: "endpoints", namespaced: true },
  { groupVersion: "v1", kind: "Event", store: "events", namespaced: true },
  { groupVersion: "v1", kind: "Namespace", store: "namespaces", namespaced: false },
  { groupVersion: "v1", kind: "ComponentStatus", store: "componentstatuses", namespaced: false },
  { groupVersion: "extensions/v1beta1", kind: "Ingress", store: "ingresses", namespaced: true },
  { groupVersion: "events.k8s.io/v1", kind: "Event", store: "events", namespaced: true },
  { groupVersion: "autoscaling/v2", kind: "Scaler", store: "scalers", namespaced: true },
  { groupVersion: "autoscaling/v1", kind: "Scaler", store: "scalers", namespaced: true },
  { groupVersion: "networking.k8s.io/v1", kind: "Ingress", store: "ingresses", namespaced: true },
  { groupVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", store: "roles", namespaced: false },
  { groupVersion: "a.example.test/v1", kind: "Widget", store: "widgets-a", namespaced: true },
  { groupVersion: "a.example.test/v1beta1", kind: "Widget", store: "widgets-a", namespaced: true },
  { groupVersion: "b.example.test/v1", kind: "Widget", store: "widgets-b", namespaced: true },
  { groupVersion: "c.example.test/v1", kind: "WIDGET", store: "widgets-c", namespaced: true },
];

/** What fluxd is started with, and which kinds git has objects of. */
export interface Flags {
  readonly allowedNamespaces: readonly string[];
  readonly excludes: readonly string[];
  /** As "<group>/<version> <Kind>". */
  readonly inGit: readonly string[];
}

/** The version, of those that have the same kind in the same group, in which a cache looks at it. */
export function watchedVersions(flags: Flags): ReadonlyMap<string, ServedVersion> {
  const found = new Map<string, ServedVersion>();
  const watched = [
    ...served.filter((each) => flags.inGit.some((name) => name.endsWith(` ${each.kind}`))),
    ...served.filter((each) => !isExcludedKind(kindOf(each), flags.excludes)),
  ];
  for (const each of watched) {
    const { group, kind } = kindOf(each);
    const name = `${group} ${kind}`;
    found.set(name, found.get(name) ?? each);
  }
  return found;
}

/** A cache as fluxd makes it, that listed nothing yet; it hears of live objects by `observe`. */
export async function openCache({ allowedNamespaces, excludes, inGit }: Flags): Promise<ClusterCache> {
  const client = new ScriptedClient({
    lists: [
      ({ path }) =>
        path === "/api" || path === "/apis"
          ? discoveryAnswer(path === "/api")
          : { metadata: { resourceVersion: "1" }, items: [] },
    ],
  });
  const cache = createClusterCache({
    client,
    discovery: createDiscovery(client),
    managedLabel: { key: markLabel },
    namespaces: allowedNamespaces,
    clock: systemClock,
    logger: silentLogger,
    excludes: (gvk) => isExcludedKind(gvk, excludes),
  });
  const held = served.filter(({ kind }) => inGit.some((name) => name.endsWith(` ${kind}`)));
  await cache.holdKinds(held.map(kindOf), never);
  await cache.watchManaged(never);
  return cache;
}

/** A live object as it shows in one version. */
export function shownIn({ groupVersion, kind }: ServedVersion, metadata: ObjectMeta): KubeObject {
  return { apiVersion: groupVersion, kind, metadata };
}

function kindOf({ groupVersion, kind }: ServedVersion) {
  const [version = "", group = ""] = groupVersion.split("/").toReversed();
  return { group, version, kind };
}

function discoveryAnswer(isCore: boolean): object {
  const groups = new Map<string, Map<string, object[]>>();
  for (const each of served) {
    const { group, version, kind } = kindOf(each);
    if ((group === "") === isCore) {
      const versions = groups.get(group) ?? new Map<string, object[]>();
      const resources = versions.get(version) ?? [];
      resources.push({
        resource: each.store,
        responseKind: { kind },
        scope: each.namespaced ? "Namespaced" : "Cluster",
        verbs: ["list", "watch", "delete"],
      });
      groups.set(group, versions.set(version, resources));
    }
  }
  return {
    kind: "APIGroupDiscoveryList",
    items: [...groups].map(([name, versions]) => ({
      metadata: { name },
      versions: [...versions].map(([version, resources]) => ({ version, resources })),
    })),
  };
}
