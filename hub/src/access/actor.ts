import type { RoleName } from "../store/schema.ts";
import type { Scope } from "../store/scope.ts";

/** A role that somebody has: for one instance or all (null), and there for one namespace or all (null). */
export interface Grant {
  readonly role: RoleName;
  readonly instanceId: string | null;
  readonly namespace: string | null;
}

/** Who makes a request, with what they may do at this moment. */
export interface Actor {
  readonly kind: "user" | "token";
  /** Of the user, also for a token. */
  readonly userId: string;
  /** Of the session or the token; what ends with it is found by it. */
  readonly credentialId: string;
  /** The login of the user, also for a token. */
  readonly name: string;
  /** Of a token, what its user calls it. */
  readonly tokenName?: string;
  readonly grants: readonly Grant[];
}

/** What is asked for: everything, an instance, or a namespace of an instance. */
export interface Place {
  readonly instanceId?: string;
  readonly namespace?: string;
}

const ranks: Readonly<Record<RoleName, number>> = { viewer: 1, operator: 2, administrator: 3 };

/** True if the first role permits everything that the second does. */
export function includesRole(role: RoleName, other: RoleName): boolean {
  return ranks[role] >= ranks[other];
}

/** True if an actor has a role for the whole of a place. */
export function mayAct({ grants }: Pick<Actor, "grants">, role: RoleName, place: Place): boolean {
  return grants.some(
    (grant) =>
      includesRole(grant.role, role) &&
      (grant.instanceId === null || grant.instanceId === place.instanceId) &&
      (grant.namespace === null || grant.namespace === place.namespace),
  );
}

/**
 * True if an actor is administrator of where something holds, null meaning everywhere; so they may give roles there, and
 * never more than they have themselves.
 */
export function administers(
  actor: Pick<Actor, "grants">,
  { instanceId, namespace }: Pick<Grant, "instanceId" | "namespace">,
): boolean {
  return mayAct(actor, "administrator", {
    ...(instanceId === null ? {} : { instanceId }),
    ...(namespace === null ? {} : { namespace }),
  });
}

/** True if an actor has a role for a place, or for a part of it. */
export function mayActSomewhere(
  { grants }: Pick<Actor, "grants">,
  role: RoleName,
  { instanceId }: Pick<Place, "instanceId">,
): boolean {
  return grants.some(
    (grant) =>
      includesRole(grant.role, role) &&
      (instanceId === undefined || grant.instanceId === null || grant.instanceId === instanceId),
  );
}

/** What an actor may see in lists. */
export function scopeOf({ grants }: Pick<Actor, "grants">): Scope {
  const isEverywhere = ({ instanceId, namespace }: Grant): boolean =>
    instanceId === null && namespace === null;
  return grants.some(isEverywhere)
    ? "everything"
    : grants.map(({ instanceId, namespace }) => ({ instanceId, namespace }));
}

/** Limits grants, such as those of a user to what a token is for. Each result is permitted by both. */
export function limitGrants(
  grants: readonly Grant[],
  { role, instanceId, namespace }: Grant,
): readonly Grant[] {
  return grants.flatMap((grant) => {
    const isElsewhere =
      (instanceId !== null && grant.instanceId !== null && grant.instanceId !== instanceId) ||
      (namespace !== null && grant.namespace !== null && grant.namespace !== namespace);
    return isElsewhere
      ? []
      : [
          {
            role: includesRole(grant.role, role) ? role : grant.role,
            instanceId: grant.instanceId ?? instanceId,
            namespace: grant.namespace ?? namespace,
          },
        ];
  });
}
