import type { Insertable, Selectable } from "kysely";
import { hasUpdated } from "./affected.ts";
import { newId } from "./ids.ts";
import type { Connection, Tables } from "./schema.ts";
import { enabledUser } from "./sessions.ts";
import { storable, storableKey, textLimits } from "./storable.ts";
import type { User } from "./users.ts";

/** A token of the API; its hash is never read. */
export type ApiToken = Omit<Selectable<Tables["apiTokens"]>, "tokenHash">;

/** A token to be made. It never permits more than its user's roles. */
export type NewApiToken = Omit<
  Insertable<Tables["apiTokens"]>,
  "id" | "createdAt" | "lastUsedAt" | "revokedAt"
>;

/** Adds a token; resolves to its ID. */
export async function createApiToken(
  connection: Connection,
  token: NewApiToken,
  now: number,
): Promise<string> {
  const id = newId(now);
  await connection
    .insertInto("apiTokens")
    .values({
      ...token,
      id,
      name: storable(token.name, textLimits.line),
      scopes: token.scopes.map(storableKey),
      namespace:
        token.namespace === null || token.namespace === undefined ? null : storableKey(token.namespace),
      createdAt: new Date(now),
    })
    .execute();
  return id;
}

/** A token, and whose it is; undefined if it doesn't work any more. */
export async function findApiToken(
  connection: Connection,
  which: { readonly tokenHash: string } | { readonly id: string },
  now: number,
): Promise<{ readonly token: ApiToken; readonly user: User } | undefined> {
  const query = connection.selectFrom("apiTokens").select(shown);
  const token = await ("id" in which
    ? query.where("id", "=", which.id)
    : query.where("tokenHash", "=", which.tokenHash)
  )
    .where("revokedAt", "is", null)
    .where((where) => where.or([where("expiresAt", "is", null), where("expiresAt", ">", new Date(now))]))
    .executeTakeFirst();
  const user = token && (await enabledUser(connection, token.userId));
  return token && user && { token, user };
}

/** Notes that a token was used. */
export async function touchApiToken(connection: Connection, id: string, now: number): Promise<void> {
  await connection
    .updateTable("apiTokens")
    .set({ lastUsedAt: new Date(now) })
    .where("id", "=", id)
    .execute();
}

/** The tokens of a user, the newest first; also those that don't work any more. */
export function listApiTokens(connection: Connection, userId: string): Promise<readonly ApiToken[]> {
  const query = connection.selectFrom("apiTokens").select(shown).where("userId", "=", storableKey(userId));
  return query.orderBy("id", "desc").limit(10_000).execute();
}

/** Revokes all tokens of a user; resolves to their IDs. */
export async function revokeApiTokensOf(
  connection: Connection,
  userId: string,
  now: number,
): Promise<readonly string[]> {
  const rows = await connection
    .updateTable("apiTokens")
    .set({ revokedAt: new Date(now) })
    .where("userId", "=", userId)
    .where("revokedAt", "is", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Revokes a token; false if there's none that works. */
export async function revokeApiToken(connection: Connection, id: string, now: number): Promise<boolean> {
  return hasUpdated(
    connection
      .updateTable("apiTokens")
      .set({ revokedAt: new Date(now) })
      .where("id", "=", storableKey(id))
      .where("revokedAt", "is", null),
  );
}

const shown = [
  "id",
  "userId",
  "name",
  "scopes",
  "instanceId",
  "namespace",
  "createdAt",
  "expiresAt",
  "lastUsedAt",
  "revokedAt",
] as const;
