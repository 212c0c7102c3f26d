import { apiVersionOf, type KubeObject } from "@weir/kube";
import type { UnavailableApi } from "../cache/resource-cache.ts";

/** True if the server can't reach the API version in which an object is written or held. */
export function isUnavailable({ apiVersion }: KubeObject, apis: readonly UnavailableApi[]): boolean {
  return apis.some(({ group, version }) => apiVersionOf(group, version) === apiVersion);
}

/** The API versions that some of the objects need. */
export function neededBy(
  objects: readonly KubeObject[],
  apis: readonly UnavailableApi[],
): readonly UnavailableApi[] {
  return apis.filter((api) => objects.some((object) => isUnavailable(object, [api])));
}

/** What it means for a unit that API versions are unavailable. */
export function unavailableMessage(apis: readonly UnavailableApi[]): string {
  const named = apis.map(({ group, version, reason }) => `${apiVersionOf(group, version)} (${reason})`);
  return `unavailable: ${named.join(", ")}; what differs there is unknown, and nothing there is pruned`;
}
