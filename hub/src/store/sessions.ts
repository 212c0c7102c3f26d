import type { Insertable, Selectable } from "kysely";
import { newId } from "./ids.ts";
import type { Connection, Tables } from "./schema.ts";
import { storable, storableKey, textLimits } from "./storable.ts";
import type { User } from "./users.ts";

/** A signed-in browser; the hash of its cookie is never read. */
export type Session = Omit<Selectable<Tables["sessions"]>, "tokenHash">;

/** A session that begins. */
export type NewSession = Omit<Insertable<Tables["sessions"]>, "id" | "createdAt" | "lastUsedAt">;

/** Adds a session; resolves to its ID. */
export async function createSession(
  connection: Connection,
  session: NewSession,
  now: number,
): Promise<string> {
  const id = newId(now);
  await connection
    .insertInto("sessions")
    .values({
      ...session,
      id,
      address: storableKey(session.address),
      userAgent: storable(session.userAgent, textLimits.line),
      createdAt: new Date(now),
      lastUsedAt: new Date(now),
    })
    .execute();
  return id;
}

/** A session, and whose it is; undefined if it has ended or the user is disabled. */
export async function findSession(
  connection: Connection,
  which: { readonly tokenHash: string } | { readonly id: string },
  now: number,
): Promise<{ readonly session: Session; readonly user: User } | undefined> {
  const query = connection.selectFrom("sessions").select(shown);
  const session = await ("id" in which
    ? query.where("id", "=", which.id)
    : query.where("tokenHash", "=", which.tokenHash)
  )
    .where("expiresAt", ">", new Date(now))
    .executeTakeFirst();
  const user = session && (await enabledUser(connection, session.userId));
  return session && user && { session, user };
}

/** Notes that a session was used, and until when it may be used again. */
export async function touchSession(
  connection: Connection,
  { id, expiresAt }: Pick<Session, "id" | "expiresAt">,
  now: number,
): Promise<void> {
  const set = { lastUsedAt: new Date(now), expiresAt };
  await connection.updateTable("sessions").set(set).where("id", "=", id).execute();
}

/** The sessions of a user, the last used first. */
export function listSessions(
  connection: Connection,
  userId: string,
  now: number,
): Promise<readonly Session[]> {
  return connection
    .selectFrom("sessions")
    .select(shown)
    .where("userId", "=", storableKey(userId))
    .where("expiresAt", ">", new Date(now))
    .orderBy("lastUsedAt", "desc")
    .orderBy("id")
    .limit(1_000)
    .execute();
}

/** Ends sessions: one, or all of a user but one that stays; resolves to their IDs. */
export async function endSessions(
  connection: Connection,
  which: { readonly id: string } | { readonly userId: string; readonly but?: string },
): Promise<readonly string[]> {
  const deletion = connection.deleteFrom("sessions").returning("id");
  const rows = await ("id" in which
    ? deletion.where("id", "=", storableKey(which.id))
    : deletion.where("userId", "=", which.userId).where("id", "<>", which.but ?? "")
  ).execute();
  return rows.map(({ id }) => id);
}

/** A user who may act; undefined if there's none, or if the user is disabled. */
export async function enabledUser(connection: Connection, id: string): Promise<User | undefined> {
  const query = connection.selectFrom("users").selectAll().where("id", "=", id);
  return query.where("disabledAt", "is", null).executeTakeFirst();
}

const shown = [
  "id",
  "userId",
  "method",
  "address",
  "userAgent",
  "createdAt",
  "lastUsedAt",
  "expiresAt",
] as const;
