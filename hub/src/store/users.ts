import { type Selectable, sql } from "kysely";
import { hasUpdated } from "./affected.ts";
import { newId } from "./ids.ts";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, Tables } from "./schema.ts";
import { containingEach, storable, storableKey, textLimits } from "./storable.ts";
import { withUnique } from "./violation.ts";

/** A person who may sign in. */
export type User = Selectable<Tables["users"]>;

/** What's known of a person beforehand. */
export interface NewUser {
  /** By which the person signs in; upper and lower case are the same. */
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
}

/** What users can be sorted by; those that never logged in did so before all others. */
export type UserSort = "login" | "name" | "createdAt" | "lastLogin";

/** The most groups of a user that are kept. */
const mostGroups = 1_000;

/** Adds a user; resolves to the ID. Throws a Problem if there's one with this login. */
export async function createUser(connection: Connection, user: NewUser, now: number): Promise<string> {
  const row = {
    id: newId(now),
    login: storableKey(user.login),
    name: storable(user.name, textLimits.line),
    email: storableKey(user.email),
    groups: boundedGroups(user.groups),
    createdAt: new Date(now),
  };
  const message = `There is another user with the login ${row.login}.`;
  const unique = { index: "users_login", field: "login", message };
  await withUnique(connection.insertInto("users").values(row).execute(), unique);
  return row.id;
}

/** One user; undefined if there's none. */
export async function findUser(connection: Connection, id: string): Promise<User | undefined> {
  return connection.selectFrom("users").selectAll().where("id", "=", storableKey(id)).executeTakeFirst();
}

/** The user with a login; undefined if there's none. */
export async function findUserByLogin(connection: Connection, login: string): Promise<User | undefined> {
  const query = connection.selectFrom("users").selectAll();
  return query.where(sql<boolean>`lower(login) = lower(${storableKey(login)})`).executeTakeFirst();
}

/** A page of users; each word of `search` is a part of the login, name, or email. */
export function listUsers(
  connection: Connection,
  { search = "" }: { readonly search?: string | undefined },
  page: PageRequest<UserSort>,
): Promise<Page<User>> {
  const query = connection.selectFrom("users").selectAll();
  const words = containingEach(search);
  const found = query.where(sql<boolean>`(login || ' ' || name || ' ' || email) ilike all(${words}::text[])`);
  return readPage(words.length === 0 ? query : found, orders, page);
}

/** Changes what's known of a user; false if there's none. */
export async function updateUser(
  connection: Connection,
  id: string,
  { name, email }: Pick<NewUser, "name" | "email">,
): Promise<boolean> {
  const set = { name: storable(name, textLimits.line), email: storableKey(email) };
  return hasUpdated(connection.updateTable("users").set(set).where("id", "=", id));
}

/** Lets a user sign in again, or not any more; false if that was so already. Sessions and tokens end at once. */
export async function setUserDisabled(
  connection: Connection,
  { id, disabled }: { readonly id: string; readonly disabled: boolean },
  now: number,
): Promise<boolean> {
  return hasUpdated(
    connection
      .updateTable("users")
      .set({ disabledAt: disabled ? new Date(now) : null })
      .where("id", "=", id)
      .where("disabledAt", disabled ? "is" : "is not", null),
  );
}

/** Groups that an identity provider named. */
export interface ConfirmedGroups {
  readonly names: readonly string[];
  /** Until when they count. */
  readonly until: Date;
}

/** Notes that a user signed in, and with which groups; without them, those of before stay for as long as they count. */
export async function noteLogin(
  connection: Connection,
  { id, groups }: { readonly id: string; readonly groups?: ConfirmedGroups },
  now: number,
): Promise<void> {
  const named =
    groups === undefined ? {} : { groups: boundedGroups(groups.names), groupsUntil: groups.until };
  await connection
    .updateTable("users")
    .set({ lastLoginAt: new Date(now), ...named })
    .where("id", "=", id)
    .execute();
}

/** The user whom an identity provider knows by a subject; undefined if nobody signed in so. */
export async function findUserByIdentity(
  connection: Connection,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<User | undefined> {
  return connection
    .selectFrom("identities")
    .innerJoin("users", "users.id", "identities.userId")
    .selectAll("users")
    .where("issuer", "=", storableKey(issuer))
    .where("subject", "=", storableKey(subject))
    .executeTakeFirst();
}

/** Notes that a user signed in at an identity provider, which may be the first time. */
export async function linkIdentity(
  connection: Connection,
  identity: {
    readonly issuer: string;
    readonly subject: string;
    readonly userId: string;
    readonly email: string;
  },
  now: number,
): Promise<void> {
  const email = storableKey(identity.email);
  await connection
    .insertInto("identities")
    .values({
      issuer: storableKey(identity.issuer),
      subject: storableKey(identity.subject),
      userId: identity.userId,
      email,
      createdAt: new Date(now),
      lastLoginAt: new Date(now),
    })
    .onConflict((conflict) =>
      conflict.columns(["issuer", "subject"]).doUpdateSet({ email, lastLoginAt: new Date(now) }),
    )
    .execute();
}

/** Sets the password of a user, as its hash. */
export async function setPassword(
  connection: Connection,
  { userId, hash }: { readonly userId: string; readonly hash: string },
  now: number,
): Promise<void> {
  const set = { hash, changedAt: new Date(now) };
  await connection
    .insertInto("passwords")
    .values({ userId, ...set })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet(set))
    .execute();
}

/** The hash of a user's password; undefined if there's none. */
export async function findPassword(connection: Connection, userId: string): Promise<string | undefined> {
  const query = connection.selectFrom("passwords").select("hash").where("userId", "=", userId);
  return (await query.executeTakeFirst())?.hash;
}

const orders: Readonly<Record<UserSort, Order>> = {
  login: [sql`lower(login)`, sql`id`],
  name: [sql`lower(name)`, sql`id`],
  createdAt: [sql`created_at`, sql`id`],
  lastLogin: [sql`coalesce(last_login_at, ${new Date(0)}::timestamptz)`, sql`id`],
};

function boundedGroups(groups: readonly string[]): readonly string[] {
  return groups.slice(0, mostGroups).map(storableKey);
}
