import { sql } from "kysely";
import type { Connection } from "./schema.ts";

/** Sends a notification of PostgreSQL, at the end of the transaction if there's one; at most 7,999 bytes. */
export async function notify(
  connection: Connection,
  { channel, payload }: { readonly channel: string; readonly payload: string },
): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(connection);
}

/** Stores what is too long for a notification; resolves to its ID. It must not contain NUL. */
export async function addPayload(connection: Connection, body: string, now: number): Promise<number> {
  const { id } = await connection
    .insertInto("busPayloads")
    .values({ body, createdAt: new Date(now) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** What was stored; undefined if it was deleted since. */
export async function findPayload(connection: Connection, id: number): Promise<string | undefined> {
  const row = await connection
    .selectFrom("busPayloads")
    .select("body")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.body;
}
