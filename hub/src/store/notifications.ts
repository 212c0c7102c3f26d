import { type Selectable, sql, type Updateable } from "kysely";
import { Problem } from "../problem/problem.ts";
import { hasDeleted, hasUpdated } from "./affected.ts";
import { newId } from "./ids.ts";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, Tables } from "./schema.ts";
import { storableKey } from "./storable.ts";
import { inTransaction } from "./transaction.ts";
import { withUnique } from "./violation.ts";

/** A channel with its encrypted secrets, and how it does. */
export type StoredChannel = Selectable<Tables["notificationChannels"]>;

/** What administrators decide about a channel; `settings` is JSON as text. */
export interface ChannelValues {
  readonly name: string;
  readonly settings: string;
  /** Encrypted. */
  readonly secret: string;
  readonly enabled: boolean;
}

export type StoredRule = Selectable<Tables["notificationRules"]>;

/** What administrators decide about a rule. */
export type RuleValues = Omit<StoredRule, "id" | "createdBy" | "createdAt" | "updatedAt">;

/** Who changes something, and when. */
export interface Change {
  /** The ID of a user; null for the console itself. */
  readonly by: string | null;
  readonly now: number;
}

/** Makes an ID for a channel, so that its secrets can be encrypted for it before it exists. */
export function newChannelId(now: number): string {
  return newId(now);
}

/** Adds a channel. Throws a Problem if there's one with this name. */
export async function createChannel(
  connection: Connection,
  { id, kind, ...values }: ChannelValues & { readonly id: string; readonly kind: string },
  { by, now }: Change,
): Promise<void> {
  const at = new Date(now);
  const row = {
    ...values,
    id,
    kind,
    createdBy: by,
    createdAt: at,
    updatedAt: at,
    failures: 0,
    lastError: "",
  };
  await withUniqueName(values.name, connection.insertInto("notificationChannels").values(row).execute());
}

/**
 * Changes a channel; false if there's no such channel. It's tried again at once, whatever was wrong before. When it's
 * disabled, the messages that wait are given up: they would be old news when it's enabled again.
 */
export async function changeChannel(
  connection: Connection,
  id: string,
  values: Partial<ChannelValues> & { readonly now: number },
): Promise<boolean> {
  const { now, ...changes } = values;
  const at = new Date(now);
  return inTransaction(connection, async (transaction) => {
    const update = transaction
      .updateTable("notificationChannels")
      .set({ ...changes, updatedAt: at, retryAt: null, failures: 0 })
      .where("id", "=", storableKey(id));
    const isChanged = await withUniqueName(changes.name ?? "", hasUpdated(update));
    if (changes.enabled === false) {
      await transaction
        .updateTable("notificationOutbox")
        .set({ state: "failed", endedAt: at, result: "the channel was disabled" })
        .where("channelId", "=", storableKey(id))
        .where("endedAt", "is", null)
        .execute();
    }
    return isChanged;
  });
}

/** Deletes a channel with its rules and messages; false if there's no such channel. */
export async function deleteChannel(connection: Connection, id: string): Promise<boolean> {
  const query = connection.deleteFrom("notificationChannels").where("id", "=", storableKey(id));
  return hasDeleted(query);
}

export async function findChannel(connection: Connection, id: string): Promise<StoredChannel | undefined> {
  return connection
    .selectFrom("notificationChannels")
    .selectAll()
    .where("id", "=", storableKey(id))
    .executeTakeFirst();
}

/** A page of channels, by name. */
export function listChannels(
  connection: Connection,
  page: PageRequest<"name">,
): Promise<Page<StoredChannel>> {
  return readPage(connection.selectFrom("notificationChannels").selectAll(), byName, page);
}

/** Adds a rule; resolves to its ID. Throws a Problem if there's no such channel. */
export async function createRule(
  connection: Connection,
  values: RuleValues,
  { by, now }: Change,
): Promise<string> {
  const at = new Date(now);
  const row = { ...values, id: newId(now), createdBy: by, createdAt: at, updatedAt: at };
  await withChannel(connection.insertInto("notificationRules").values(row).execute());
  return row.id;
}

/** Changes a rule; false if there's no such rule. Throws a Problem if there's no such channel. */
export async function changeRule(
  connection: Connection,
  id: string,
  values: Partial<RuleValues> & { readonly now: number },
): Promise<boolean> {
  const { now, ...changes } = values;
  const set: Updateable<Tables["notificationRules"]> = { ...changes, updatedAt: new Date(now) };
  const update = connection.updateTable("notificationRules").set(set).where("id", "=", storableKey(id));
  return withChannel(hasUpdated(update));
}

/** Deletes a rule with its messages; false if there's no such rule. */
export async function deleteRule(connection: Connection, id: string): Promise<boolean> {
  const query = connection.deleteFrom("notificationRules").where("id", "=", storableKey(id));
  return hasDeleted(query);
}

export async function findRule(connection: Connection, id: string): Promise<StoredRule | undefined> {
  return connection
    .selectFrom("notificationRules")
    .selectAll()
    .where("id", "=", storableKey(id))
    .executeTakeFirst();
}

/** A page of rules, by name. */
export function listRules(connection: Connection, page: PageRequest<"name">): Promise<Page<StoredRule>> {
  return readPage(connection.selectFrom("notificationRules").selectAll(), byName, page);
}

const byName: Readonly<Record<"name", Order>> = { name: [sql`name`, sql`id`] };

function withUniqueName<T>(name: string, query: Promise<T>): Promise<T> {
  const message = `There is a channel with the name ${JSON.stringify(name)} already.`;
  return withUnique(query, { index: "notification_channels_name", field: "name", message });
}

async function withChannel<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "23503") {
      throw new Problem("invalid", "There is no such channel.", {
        advice: "Choose a channel from the list of channels.",
        fields: { channelId: "doesn't exist" },
        cause: error,
      });
    }
    throw error;
  }
}
