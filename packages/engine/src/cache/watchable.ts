import type { ApiResource, GroupKind, GroupVersionKind } from "@weir/kube";
import type { ServedKind } from "@weir/kube/rest";

/** Decides whether a kind, in one version, is excluded from the search for managed objects. */
export type KindFilter = (gvk: GroupVersionKind) => boolean;

/** Kinds that nobody manages and that would only cause load. */
const neverManaged: readonly GroupKind[] = [
  { group: "", kind: "ComponentStatus" },
  { group: "", kind: "Endpoints" },
  { group: "", kind: "Event" },
  { group: "events.k8s.io", kind: "Event" },
];

/** True for a kind that can be listed and watched. */
export function isWatchable(resource: ApiResource): boolean {
  return resource.verbs.includes("list") && resource.verbs.includes("watch");
}

/**
 * The version in which the managed objects of a kind are watched: the first that can be watched and isn't
 * excluded. Undefined if there is none: then no object of the kind is managed, whatever its labels.
 */
export function managedVersionOf({ versions }: ServedKind, excludes: KindFilter): ApiResource | undefined {
  return versions.find(
    (resource) => isWatchable(resource) && !isNeverManaged(resource) && !excludes(resource),
  );
}

/** True if a watch of one resource doesn't cover the other. */
export function isOtherResource(one: ApiResource, other: ApiResource): boolean {
  return (
    one.version !== other.version || one.resource !== other.resource || one.namespaced !== other.namespaced
  );
}

function isNeverManaged(resource: GroupKind): boolean {
  return neverManaged.some(({ group, kind }) => group === resource.group && kind === resource.kind);
}
