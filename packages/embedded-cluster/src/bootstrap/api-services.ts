import type { GroupVersionKind } from "@weir/kube";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import type { Tree } from "../tree.ts";

/** Groups stand in this order: the higher number first. The core group is before all others. */
const corePriority = 18_000;
const builtinPriority = 17_800;
const customPriority = 1000;

/** How the API itself describes a group and version that it serves. */
export function apiServiceOf(
  { group, version }: Pick<GroupVersionKind, "group" | "version">,
  kind: "onstart" | "true",
  now: string,
): Tree {
  const priority = group === "" ? corePriority : kind === "onstart" ? builtinPriority : customPriority;
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: {
      name: `${version}.${group}`,
      labels: { "kube-aggregator.kubernetes.io/automanaged": kind },
    },
    spec: {
      ...(group === "" ? {} : { group }),
      version,
      groupPriorityMinimum: priority,
      versionPriority: kind === "onstart" ? 15 : 100,
    },
    status: {
      conditions: [
        {
          type: "Available",
          status: "True",
          reason: "Local",
          message: "Local APIServices are always available",
          lastTransitionTime: now,
        },
      ],
    },
  };
}

/** The groups and versions that are served from the start. */
export function builtinApiServices(registry: ResourceRegistry, now: string): readonly Tree[] {
  return registry.groups.flatMap(({ name, versions }) =>
    versions
      .filter(({ group }) => group !== "apiregistration.k8s.io")
      .map(({ version }) => apiServiceOf({ group: name, version }, "onstart", now)),
  );
}
