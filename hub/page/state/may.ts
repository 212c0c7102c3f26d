import type { Grant, RoleName } from "../../src/contract/access.ts";

const ranks: Readonly<Record<RoleName, number>> = { viewer: 0, operator: 1, administrator: 2 };

/** Where something is done; without an instance: for the whole console. */
export interface Place {
  readonly instanceId?: string;
  readonly namespace?: string;
}

/**
 * True if grants allow a role at a place. Decides what the page offers; the console itself decides what's done.
 */
export function may(grants: readonly Grant[], role: RoleName, place: Place = {}): boolean {
  return grants.some(
    (grant) =>
      ranks[grant.role] >= ranks[role] &&
      (grant.instanceId === null || grant.instanceId === place.instanceId) &&
      (grant.namespace === null || grant.namespace === place.namespace),
  );
}

/**
 * True if grants allow a role for everything that has to do with resources of an instance, by their IDs: for each of their
 * namespaces, or for the whole instance if there are none, or one is in no namespace.
 */
export function mayReach(
  grants: readonly Grant[],
  role: RoleName,
  { instanceId, ids }: { readonly instanceId: string; readonly ids: readonly string[] },
): boolean {
  const namespaces = ids.map(namespaceOf);
  const isWhole = namespaces.length === 0 || namespaces.includes(undefined);
  return isWhole
    ? may(grants, role, { instanceId })
    : namespaces.every((namespace = "") => may(grants, role, { instanceId, namespace }));
}

/** The namespace of a resource such as `default:deployment/helloworld`; undefined if it's in none. */
function namespaceOf(id: string): string | undefined {
  return /^([^:<]+):/.exec(id)?.[1];
}

/** Where grants make somebody administrator; undefined if nowhere. Everywhere comes first. */
export function administeredPlace(
  grants: readonly Grant[],
): Pick<Grant, "instanceId" | "namespace"> | undefined {
  const found = grants.filter(({ role }) => role === "administrator");
  const [first] = [
    ...found.filter(({ instanceId, namespace }) => instanceId === null && namespace === null),
    ...found,
  ];
  return first === undefined ? undefined : { instanceId: first.instanceId, namespace: first.namespace };
}

/** True if grants allow a role for some part of an instance. */
export function maySomewhere(grants: readonly Grant[], role: RoleName, instanceId: string): boolean {
  return grants.some(
    (grant) =>
      ranks[grant.role] >= ranks[role] && (grant.instanceId === null || grant.instanceId === instanceId),
  );
}
