import type { ApiResource } from "../../kube/api-resource.ts";
import type { GroupKind } from "../../kube/gvk.ts";

/** Kinds that nobody manages and that would only make noise; as Flux leaves them out. */
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

/** True where objects of a kind may bear the managed-by label. */
export function mayBeManaged(resource: ApiResource): boolean {
  return (
    isWatchable(resource) &&
    !neverManaged.some(({ group, kind }) => group === resource.group && kind === resource.kind)
  );
}

/** True where a watch of the one is no watch of the other. */
export function isOtherResource(one: ApiResource, other: ApiResource): boolean {
  return (
    one.version !== other.version || one.resource !== other.resource || one.namespaced !== other.namespaced
  );
}
