import { type Selectable, sql } from "kysely";
import { newId } from "./ids.ts";
import type { Connection, InvitedRole, Tables } from "./schema.ts";
import { storableKey } from "./storable.ts";

/** A link that works once; the hash of its secret is never read. */
export type Invitation = Omit<Selectable<Tables["invitations"]>, "tokenHash">;

/** A link to be made. */
export type NewInvitation = Omit<Invitation, "id" | "createdAt" | "usedAt" | "roles"> & {
  readonly tokenHash: string;
  readonly roles: readonly InvitedRole[];
};

/** Adds an invitation; resolves to its ID. */
export async function createInvitation(
  connection: Connection,
  invitation: NewInvitation,
  now: number,
): Promise<string> {
  const id = newId(now);
  await connection
    .insertInto("invitations")
    .values({
      ...invitation,
      id,
      login: storableKey(invitation.login),
      roles: JSON.stringify(invitation.roles),
      createdAt: new Date(now),
    })
    .execute();
  return id;
}

/** The invitation of a link that still works; undefined if there's none. */
export async function findInvitation(
  connection: Connection,
  tokenHash: string,
  now: number,
): Promise<Invitation | undefined> {
  return connection
    .selectFrom("invitations")
    .select(shown)
    .where("tokenHash", "=", tokenHash)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", new Date(now))
    .executeTakeFirst();
}

/** Uses an invitation up: of several who try, one gets it. Undefined if it doesn't work any more. */
export async function takeInvitation(
  connection: Connection,
  tokenHash: string,
  now: number,
): Promise<Invitation | undefined> {
  return connection
    .updateTable("invitations")
    .set({ usedAt: new Date(now) })
    .where("tokenHash", "=", tokenHash)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", new Date(now))
    .returning(shown)
    .executeTakeFirst();
}

/** An invitation, with the logins of who made it, and whose password it sets; "" for nobody. */
export type NamedInvitation = Invitation & { readonly maker: string; readonly userLogin: string };

/** The invitations that still work, the newest first. */
export function listInvitations(connection: Connection, now: number): Promise<readonly NamedInvitation[]> {
  return connection
    .selectFrom("invitations")
    .select(shown)
    .select([
      sql<string>`coalesce((select login from users where users.id = created_by), '')`.as("maker"),
      sql<string>`coalesce((select users.login from users where users.id = user_id), '')`.as("userLogin"),
    ])
    .where("usedAt", "is", null)
    .where("expiresAt", ">", new Date(now))
    .orderBy("id", "desc")
    .limit(1_000)
    .execute();
}

/** Takes invitations back: one, or all for a purpose. */
export async function deleteInvitations(
  connection: Connection,
  which: { readonly id: string } | { readonly purpose: Invitation["purpose"] },
): Promise<void> {
  const deletion = connection.deleteFrom("invitations");
  await ("id" in which
    ? deletion.where("id", "=", storableKey(which.id))
    : deletion.where("purpose", "=", which.purpose)
  ).execute();
}

const shown = [
  "id",
  "purpose",
  "userId",
  "login",
  "roles",
  "createdBy",
  "createdAt",
  "expiresAt",
  "usedAt",
] as const;
