import { type Selectable, sql } from "kysely";
import { newId } from "./ids.ts";
import type { Connection, InvitedRole, Tables } from "./schema.ts";
import { storableKey } from "./storable.ts";
import type { User } from "./users.ts";

/** A role of a user or a group. */
export type Role = Selectable<Tables["roles"]>;

/** A role as it's listed. */
export interface ListedRole extends Role {
  /** The user's; null for the role of a group. */
  readonly login: string | null;
}

/** A role to be given: to a user or a group; null for an instance or namespace means all. */
export type NewRole = Omit<Role, "id" | "createdAt">;

/** Gives a role; resolves to its ID, also if it was given before. */
export async function grantRole(connection: Connection, role: NewRole, now: number): Promise<string> {
  const row = {
    ...role,
    groupName: role.groupName === null ? null : storableKey(role.groupName),
    namespace: role.namespace === null ? null : storableKey(role.namespace),
    id: newId(now),
    createdAt: new Date(now),
  };
  await connection
    .insertInto("roles")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await connection
    .selectFrom("roles")
    .select("id")
    .where("role", "=", row.role)
    .where(sql<boolean>`(user_id, group_name, instance_id, namespace) is not distinct from
      (${row.userId}::text, ${row.groupName}::text, ${row.instanceId}::text, ${row.namespace}::text)`)
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes a role away; resolves to it, or to undefined if there was none. */
export async function revokeRole(connection: Connection, id: string): Promise<Role | undefined> {
  return connection.deleteFrom("roles").where("id", "=", storableKey(id)).returningAll().executeTakeFirst();
}

/** All roles. */
export function listRoles(connection: Connection): Promise<readonly ListedRole[]> {
  return listedRoles(connection).orderBy("roles.id").limit(10_000).execute();
}

/** A role by its ID. */
export function findRole(connection: Connection, id: string): Promise<ListedRole | undefined> {
  return listedRoles(connection).where("roles.id", "=", storableKey(id)).executeTakeFirst();
}

function listedRoles(connection: Connection) {
  return connection
    .selectFrom("roles")
    .leftJoin("users", "users.id", "roles.userId")
    .selectAll("roles")
    .select("users.login");
}

/** What a user may do at a time, by roles of its own and, as long as they count, of its groups. */
export async function rolesOf(
  connection: Connection,
  { id, groups: named, groupsUntil }: Pick<User, "id" | "groups" | "groupsUntil">,
  now: number,
): Promise<readonly InvitedRole[]> {
  const groups = groupsUntil !== null && groupsUntil.getTime() > now ? named : [];
  return connection
    .selectFrom("roles")
    .select(["role", "instanceId", "namespace"])
    .where(sql<boolean>`(user_id = ${id} or group_name = any(${groups}::text[]))`)
    .orderBy("id")
    .execute();
}

/**
 * True if an enabled user is administrator of everything, by a role of its own or of a group, also of one that doesn't
 * count until the user logs in again.
 */
export async function hasAdministrator(connection: Connection): Promise<boolean> {
  const row = await connection
    .selectFrom("roles")
    .innerJoin("users", (join) =>
      join.on(sql<boolean>`(users.id = roles.user_id or roles.group_name = any(users.groups))`),
    )
    .select("users.id")
    .where("role", "=", "administrator")
    .where("instanceId", "is", null)
    .where("disabledAt", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** One of the locks that PostgreSQL leaves to programs; any number will do that no other lock has. */
const accessLock = 7_204_114;

/**
 * Waits until no other transaction changes who may do what, and keeps others waiting until this one ends: two people who
 * take away each other's role must not leave nobody.
 */
export async function lockAccess(transaction: Connection): Promise<void> {
  await sql`select pg_advisory_xact_lock(${accessLock})`.execute(transaction);
}
