import type { Grant, RoleName } from "../../contract/access.ts";

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

/** True if grants allow a role for some part of an instance. */
export function maySomewhere(grants: readonly Grant[], role: RoleName, instanceId: string): boolean {
  return grants.some(
    (grant) =>
      ranks[grant.role] >= ranks[role] && (grant.instanceId === null || grant.instanceId === instanceId),
  );
}
