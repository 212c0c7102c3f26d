import { type ApiToken, findApiToken } from "../store/api-tokens.ts";
import { rolesOf } from "../store/roles.ts";
import type { Connection, RoleName } from "../store/schema.ts";
import { findSession, type Session } from "../store/sessions.ts";
import type { User } from "../store/users.ts";
import { type Actor, type Grant, limitGrants } from "./actor.ts";

/** What a token may be for, and the role that it takes. */
const roleOfScope: Readonly<Record<string, RoleName>> = {
  read: "viewer",
  write: "operator",
  admin: "administrator",
};

/** How a credential is found: by the hash of its secret, or by its ID. */
export type CredentialKey = { readonly tokenHash: string } | { readonly id: string };

/** A credential that works. */
interface Working {
  /** Who has it, with what they may do with it at this moment. */
  readonly actor: Actor;
  /** Until when that can't change by itself, in milliseconds since the epoch. */
  readonly holdsUntil: number;
}

/** Whose session it is, with what they may do at this moment; undefined if it has ended. */
export async function actorOfSession(
  connection: Connection,
  which: CredentialKey,
  now: number,
): Promise<(Working & { readonly session: Session }) | undefined> {
  const found = await findSession(connection, which, now);
  if (found === undefined) {
    return undefined;
  }
  const { session, user } = found;
  const grants = await rolesOf(connection, user, now);
  const actor = {
    kind: "user",
    userId: user.id,
    credentialId: session.id,
    name: user.login,
    grants,
  } as const;
  return { actor, session, holdsUntil: earliest(now, session.expiresAt, user.groupsUntil) };
}

/** Whose token it is, with what it permits at this moment; undefined if it doesn't work any more. */
export async function actorOfToken(
  connection: Connection,
  which: CredentialKey,
  now: number,
): Promise<(Working & { readonly token: ApiToken }) | undefined> {
  const found = await findApiToken(connection, which, now);
  if (found === undefined) {
    return undefined;
  }
  const { token, user } = found;
  const actor: Actor = {
    kind: "token",
    userId: user.id,
    credentialId: token.id,
    name: user.login,
    tokenName: token.name,
    grants: await tokenGrants(connection, { token, user }, now),
  };
  return { actor, token, holdsUntil: earliest(now, token.expiresAt, user.groupsUntil) };
}

/** What a token with these scopes permits where its maker has every role; undefined if it permits nothing. */
export function roleOfScopes(scopes: readonly string[]): RoleName | undefined {
  const known = ["admin", "write", "read"].find((scope) => scopes.includes(scope));
  return known === undefined ? undefined : roleOfScope[known];
}

async function tokenGrants(
  connection: Connection,
  { token, user }: { readonly token: ApiToken; readonly user: User },
  now: number,
): Promise<readonly Grant[]> {
  const role = roleOfScopes(token.scopes);
  const { instanceId, namespace } = token;
  return role === undefined
    ? []
    : limitGrants(await rolesOf(connection, user, now), { role, instanceId, namespace });
}

/** The first of some times that are still to come. */
function earliest(now: number, ...times: readonly (Date | null)[]): number {
  const ahead = times.flatMap((time) => (time !== null && time.getTime() > now ? [time.getTime()] : []));
  return Math.min(...ahead);
}
