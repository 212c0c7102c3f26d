import type { Selectable } from "kysely";
import type { Connection, Tables } from "./schema.ts";

/** A login that was sent to the identity provider. */
export type OidcLogin = Omit<Selectable<Tables["oidcLogins"]>, "createdAt">;

/** Remembers a login until it comes back, perhaps to another console. */
export async function addOidcLogin(connection: Connection, login: OidcLogin, now: number): Promise<void> {
  await connection
    .insertInto("oidcLogins")
    .values({ ...login, createdAt: new Date(now) })
    .execute();
}

/** Takes a login that came back, once; undefined if it isn't known, or came back too late. */
export async function takeOidcLogin(
  connection: Connection,
  stateHash: string,
  now: number,
): Promise<OidcLogin | undefined> {
  return connection
    .deleteFrom("oidcLogins")
    .where("stateHash", "=", stateHash)
    .where("expiresAt", ">", new Date(now))
    .returning(["stateHash", "browserHash", "returnTo", "expiresAt"])
    .executeTakeFirst();
}
