import type { ApiResource, GroupKind, GroupVersionKind } from "@weir/kube";
import type { ServedKind } from "@weir/kube/rest";

/** True for a kind, in one version, that is not to be looked at for managed objects; the consumer's. */
export type KindFilter = (gvk: GroupVersionKind) => boolean;

/** Kinds that nobody manages and that would only make noise. */
const neverManaged: readonly GroupKind[] = [
  { group: "", kind: "ComponentStatus" },
  { group: "", kind: "Endpoints" },
  { group: "", kind: "Event" },
  { group: "events.k8s.io", kind: "Event" },
];

/** True where a kind can be listed and watched. */
export function isWatchable(resource: ApiResource): boolean {
  return resource.verbs.includes("list") && resource.verbs.includes("watch");
}

/**
 * The version through which the managed objects of a kind are seen: the first that can be watched and is not
 * excluded. Undefined where there is none: then no object of the kind is managed, whatever labels it bears.
 */
export function managedVersionOf({ versions }: ServedKind, excludes: KindFilter): ApiResource | undefined {
  return versions.find(
    (resource) => isWatchable(resource) && !isNeverManaged(resource) && !excludes(resource),
  );
}

/** True where a watch of the one is no watch of the other. */
export function isOtherResource(one: ApiResource, other: ApiResource): boolean {
  return (
    one.version !== other.version || one.resource !== other.resource || one.namespaced !== other.namespaced
  );
}

function isNeverManaged(resource: GroupKind): boolean {
  return neverManaged.some(({ group, kind }) => group === resource.group && kind === resource.kind);
}
