import { type Selectable, sql } from "kysely";
import { newId } from "./ids.ts";
import type { Connection, Tables } from "./schema.ts";
import { storable, textLimits } from "./storable.ts";
import { inTransaction } from "./transaction.ts";

/** A rule that can match. */
export type ActiveRule = Selectable<Tables["notificationRules"]>;

/** What a group of events has in the outbox. */
export interface OutboxGroup {
  readonly groupKey: string;
  /** The message that nobody has tried to send; null if there is none. */
  readonly openId: string | null;
  readonly openEvents: number;
  /** True if a message is being sent, or waits to be sent again. */
  readonly begun: boolean;
  readonly lastSentAt: Date | null;
}

/** A message to add to the outbox. */
export interface NewMessage {
  readonly channelId: string;
  readonly ruleId: string;
  readonly groupKey: string;
  readonly eventIds: readonly number[];
  readonly dueAt: Date;
}

/** A message that only its claimer may send. */
export interface ClaimedMessage {
  readonly id: string;
  /** Proves the claim. */
  readonly claimId: string;
  readonly channelId: string;
  readonly kind: string;
  readonly settings: Selectable<Tables["notificationChannels"]>["settings"];
  readonly secret: string;
  readonly title: string;
  readonly body: string;
  /** Patterns of what the channel is told of; none for everything. */
  readonly namespaces: readonly string[];
  readonly eventIds: readonly number[];
  readonly dueAt: Date;
  /** How often the channel was unavailable in a row. */
  readonly failures: number;
}

/** How an attempt to send a message ended. */
export interface Settlement {
  readonly state: "sent" | "failed" | "pending";
  /** What the service answered, or why it wasn't delivered. */
  readonly result: string;
  /** False if the service was reached, whatever it said. */
  readonly unavailable: boolean;
  /** When the channel may be used again; null for now. */
  readonly retryAt: Date | null;
  readonly now: Date;
}

/** How many rows one statement inserts. */
const batch = 500;

/** Any number, but always the same one: it stands for the right to compare events with rules. */
const dispatchLock = 7_103_581_402;

/** True if this transaction is now the only one that compares events with rules, until it ends. */
export async function lockDispatch(transaction: Connection): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${dispatchLock}::bigint) as locked
  `.execute(transaction);
  return rows[0]?.locked === true;
}

/** The rules that are enabled and whose channels are, in the order in which they were made. */
export async function activeRules(connection: Connection): Promise<readonly ActiveRule[]> {
  return connection
    .selectFrom("notificationRules")
    .innerJoin("notificationChannels", "notificationChannels.id", "notificationRules.channelId")
    .where("notificationRules.enabled", "=", true)
    .where("notificationChannels.enabled", "=", true)
    .selectAll("notificationRules")
    .orderBy("notificationRules.id")
    .execute();
}

/**
 * What the outbox has of groups since a time. Nobody can claim their open messages until the transaction ends.
 */
export async function lockGroups(
  transaction: Connection,
  groupKeys: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, OutboxGroup>> {
  if (groupKeys.length === 0) {
    return new Map();
  }
  await transaction
    .selectFrom("notificationOutbox")
    .select("id")
    .where(sql<boolean>`group_key = any(${groupKeys}::text[])`)
    .where("createdAt", ">", since)
    .where("endedAt", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  const rows = await transaction
    .selectFrom("notificationOutbox")
    .where(sql<boolean>`group_key = any(${groupKeys}::text[])`)
    .where("createdAt", ">", since)
    .groupBy("groupKey")
    .select((expressions) => [
      "groupKey",
      expressions.fn
        .max(sql<string | null>`case when ended_at is null and attempts = 0 then id end`)
        .as("openId"),
      sql<boolean>`bool_or(ended_at is null and attempts > 0)`.as("begun"),
      sql<Date | null>`max(ended_at) filter (where state = 'sent')`.as("lastSentAt"),
      sql<number>`coalesce(max(cardinality(event_ids)) filter (where ended_at is null and attempts = 0), 0)`.as(
        "openEvents",
      ),
    ])
    .execute();
  return new Map(rows.map((row) => [row.groupKey, row]));
}

/** The channels for which at least so many messages wait. */
export async function channelsWithBacklog(
  connection: Connection,
  messages: number,
): Promise<ReadonlySet<string>> {
  const rows = await connection
    .selectFrom("notificationOutbox")
    .select("channelId")
    .where("endedAt", "is", null)
    .groupBy("channelId")
    .having(sql<boolean>`count(*) >= ${messages}`)
    .execute();
  return new Set(rows.map(({ channelId }) => channelId));
}

/** Adds events to a message that nobody has tried to send. */
export async function addToMessage(
  connection: Connection,
  id: string,
  eventIds: readonly number[],
): Promise<void> {
  await connection
    .updateTable("notificationOutbox")
    .set({ eventIds: sql`event_ids || ${eventIds}::bigint[]` })
    .where("id", "=", id)
    .execute();
}

/** Adds messages. Those that are due at the same time are sent in the order of their events, and then in this one. */
export async function addMessages(
  connection: Connection,
  messages: readonly NewMessage[],
  now: number,
): Promise<void> {
  const ids = messages.map(() => newId(now)).toSorted();
  const rows = messages.map((message, index) => ({
    ...message,
    id: ids[index] ?? newId(now),
    state: "pending" as const,
    attempts: 0,
    createdAt: new Date(now),
    result: "",
  }));
  for (let start = 0; start < rows.length; start += batch) {
    const some = rows.slice(start, start + batch);
    await connection.insertInto("notificationOutbox").values(some).execute();
  }
}

/**
 * Claims the channel whose next message has been due for longest, and begins that message; undefined if nothing is due.
 * A message that was begun before comes first, so that a channel's messages stay in order. The claim ends when it's
 * settled, or after `leaseMs` milliseconds.
 */
export function claimMessage(
  connection: Connection,
  now: number,
  leaseMs: number,
): Promise<ClaimedMessage | undefined> {
  return inTransaction(connection, async (transaction) => {
    const claimId = newId(now);
    const channel = await claimChannel(transaction, {
      claimId,
      now: new Date(now),
      until: new Date(now + leaseMs),
    });
    if (channel === undefined) {
      return undefined;
    }
    const message = await beginMessage(transaction, channel.id, new Date(now));
    if (message === undefined) {
      // Whoever had the claim sent it in the meantime.
      await releaseClaim(transaction, { claimId, channelId: channel.id });
      return undefined;
    }
    return { ...channel, ...message, claimId, channelId: channel.id };
  });
}

async function claimChannel(
  transaction: Connection,
  { claimId, now, until }: { readonly claimId: string; readonly now: Date; readonly until: Date },
) {
  const free = await transaction
    .selectFrom("notificationChannels as channel")
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom("notificationOutbox")
          .whereRef("channelId", "=", "channel.id")
          .where("endedAt", "is", null)
          .where("dueAt", "<=", now)
          .select("dueAt")
          .orderBy("dueAt")
          .limit(1)
          .as("next"),
      (join) => join.onTrue(),
    )
    .where("channel.enabled", "=", true)
    .where(sql<boolean>`coalesce(channel.claimed_until, '-infinity') < ${now}`)
    .where(sql<boolean>`coalesce(channel.retry_at, '-infinity') <= ${now}`)
    .select("channel.id")
    .orderBy("next.dueAt")
    .limit(1)
    .forUpdate("channel")
    .skipLocked()
    .executeTakeFirst();
  return free === undefined
    ? undefined
    : transaction
        .updateTable("notificationChannels")
        .set({ claimedBy: claimId, claimedUntil: until })
        .where("id", "=", free.id)
        .returning(["id", "kind", "settings", "secret", "failures"])
        .executeTakeFirstOrThrow();
}

async function beginMessage(transaction: Connection, channelId: string, now: Date) {
  const next = await transaction
    .selectFrom("notificationOutbox")
    .where("channelId", "=", channelId)
    .where("endedAt", "is", null)
    .where("dueAt", "<=", now)
    .select("id")
    .orderBy((expressions) => expressions("attempts", "=", 0))
    .orderBy("dueAt")
    .orderBy(sql`event_ids[1]`)
    .orderBy("id")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (next === undefined) {
    return undefined;
  }
  const begun = await transaction
    .updateTable("notificationOutbox")
    .set((expressions) => ({ attempts: expressions("attempts", "+", 1) }))
    .where("id", "=", next.id)
    .returning(["id", "ruleId", "eventIds", "dueAt"])
    .executeTakeFirstOrThrow();
  const { ruleId, ...message } = begun;
  const texts = await transaction
    .selectFrom("notificationRules")
    .where("id", "=", ruleId)
    .select(["title", "body", "namespaces"])
    .executeTakeFirstOrThrow();
  return { ...message, ...texts };
}

/** Ends a claim. What was sent is noted even if the claim ran out; the channel is left alone then. */
export function settleMessage(
  connection: Connection,
  { id, claimId, channelId }: Pick<ClaimedMessage, "id" | "claimId" | "channelId">,
  { state, result, unavailable, retryAt, now }: Settlement,
): Promise<void> {
  const text = storable(result, textLimits.line);
  return inTransaction(connection, async (transaction) => {
    await transaction
      .updateTable("notificationOutbox")
      .set({ state, result: text, endedAt: state === "pending" ? null : now })
      .where("id", "=", id)
      .where("endedAt", "is", null)
      .execute();
    await transaction
      .updateTable("notificationChannels")
      .set({ claimedBy: null, claimedUntil: null, retryAt })
      .set(state === "sent" ? { lastSentAt: now, lastError: "" } : { lastError: text, lastErrorAt: now })
      .set((expressions) => ({
        failures: unavailable ? expressions("failures", "+", 1) : expressions.lit(0),
      }))
      .where("id", "=", channelId)
      .where("claimedBy", "=", claimId)
      .execute();
  });
}

/** Gives a claim back without having tried, so that another console can go on at once. */
export async function releaseClaim(
  connection: Connection,
  { claimId, channelId }: Pick<ClaimedMessage, "claimId" | "channelId">,
): Promise<void> {
  await connection
    .updateTable("notificationChannels")
    .set({ claimedBy: null, claimedUntil: null })
    .where("id", "=", channelId)
    .where("claimedBy", "=", claimId)
    .execute();
}

/** When the next message can be sent that nobody is sending; null if none waits. */
export async function nextDueAt(connection: Connection): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(due_at, retry_at, claimed_until)) as at
    from notification_outbox join notification_channels channel on channel.id = channel_id
    where ended_at is null and channel.enabled
  `.execute(connection);
  return rows[0]?.at ?? null;
}
