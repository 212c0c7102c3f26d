import type { JsonValue } from "@weir/base";
import { sql } from "kysely";
import { hasOneOf, hasWords, isAmong, isBetween } from "./filter.ts";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, Severity } from "./schema.ts";
import { isFoundWithin, isWhollyWithin, type Scope } from "./scope.ts";
import { searchFor, wordsOf } from "./search-words.ts";
import { storable, storableJson, storableKey, textLimits } from "./storable.ts";
import { inTransaction } from "./transaction.ts";

/** Something that happened, as a daemon or the console itself says it. */
export interface NewEvent {
  readonly instanceId: string;
  readonly type: string;
  readonly severity: Severity;
  /** By the clock of who says it. */
  readonly at: Date;
  readonly namespaces: readonly string[];
  readonly workloadIds: readonly string[];
  readonly revision: string;
  readonly message: string;
  readonly metadata: JsonValue;
  /** The same for an event that is posted again after its answer was lost. */
  readonly fingerprint: string;
}

/** An event as it was stored. */
export interface StoredEvent extends Omit<NewEvent, "fingerprint"> {
  /** Events become visible in the order of their IDs. */
  readonly id: number;
  readonly receivedAt: Date;
}

/** The only order of events: by their time. */
export type EventSort = "at";

/** Which events to list; what isn't set doesn't matter. */
export interface EventFilter {
  readonly scope: Scope;
  readonly instanceIds?: readonly string[] | undefined;
  readonly namespaces?: readonly string[] | undefined;
  /** Events of any of these. */
  readonly workloadIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly severities?: readonly string[] | undefined;
  /** From this time on, and before that. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Finds only events of which everything is in the scope. */
  readonly search?: string | undefined;
}

/** How many rows one statement inserts. */
const batch = 500;

/** The most namespaces and workloads that are kept of one event. */
const mostNames = 2_000;

/** The lock under which events are added; any number that nothing else of the console uses. */
const additions = 7_201_001;

/**
 * Adds events, all or none; resolves to those that weren't there. Additions wait for each other, so that whoever has
 * read up to an ID never misses a lower one.
 */
export function addEvents(
  connection: Connection,
  events: readonly NewEvent[],
  now: number,
): Promise<readonly StoredEvent[]> {
  return inTransaction(connection, async (transaction) => {
    await lockAdditions(transaction);
    const added: StoredEvent[] = [];
    for (let start = 0; start < events.length; start += batch) {
      const rows = events.slice(start, start + batch).map((event) => rowOf(event, now));
      added.push(
        ...(await transaction
          .insertInto("events")
          .values(rows)
          .onConflict((conflict) => conflict.columns(["instanceId", "fingerprint"]).doNothing())
          .returning(shown)
          .execute()),
      );
    }
    return added.toSorted((a, b) => a.id - b.id);
  });
}

/**
 * Lets no one else add events until the end of the transaction. Whoever locks rows of instances before it adds events
 * does this first, as everybody else does, so that two of them never wait for each other.
 */
export async function lockAdditions(transaction: Connection): Promise<void> {
  await sql`select pg_advisory_xact_lock(${additions}::bigint)`.execute(transaction);
}

/** A page of events. */
export function listEvents(
  connection: Connection,
  filter: EventFilter,
  page: PageRequest<EventSort>,
): Promise<Page<StoredEvent>> {
  return readPage(eventsIn(connection, filter), orders, page);
}

/** One event; undefined if there's none, or it isn't in the scope. */
export async function findEvent(
  connection: Connection,
  id: number,
  scope: Scope,
): Promise<StoredEvent | undefined> {
  return eventsIn(connection, { scope }).where("id", "=", id).executeTakeFirst();
}

/** An event with the name of its instance. */
export type NamedEvent = StoredEvent & { readonly instanceName: string };

/** Events with these IDs, in their order; those that were deleted are missing. */
export async function eventsById(
  connection: Connection,
  ids: readonly number[],
): Promise<readonly NamedEvent[]> {
  return named(connection, ids).select("events.metadata").execute();
}

/** Like `eventsById`, without what only programs read of events, which can be large. */
export async function briefEventsById(
  connection: Connection,
  ids: readonly number[],
): Promise<readonly Omit<NamedEvent, "metadata">[]> {
  return named(connection, ids).execute();
}

/**
 * The IDs of the oldest events that weren't compared with the rules of notifications yet, in their order. Only for the
 * holder of the dispatch lock, which says in the same transaction that they were compared. `addEvents` makes sure that no
 * event with a lower ID appears later.
 */
export async function undispatchedEventIds(
  transaction: Connection,
  limit: number,
): Promise<readonly number[]> {
  const rows = await transaction
    .selectFrom("events")
    .select("id")
    .where("id", ">", (of) => of.selectFrom("dispatchProgress").select("lastEventId"))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Says that all events up to this one were compared with the rules. */
export async function markDispatched(transaction: Connection, lastEventId: number): Promise<void> {
  await transaction.updateTable("dispatchProgress").set({ lastEventId }).execute();
}

const shown = [
  "id",
  "instanceId",
  "type",
  "severity",
  "at",
  "receivedAt",
  "namespaces",
  "workloadIds",
  "revision",
  "message",
  "metadata",
] as const;

const orders: Readonly<Record<EventSort, Order>> = { at: [sql`at`, sql`id`] };

function named(connection: Connection, ids: readonly number[]) {
  return connection
    .selectFrom("events")
    .innerJoin("instances", "instances.id", "events.instanceId")
    .where(sql<boolean>`events.id = any(${ids}::bigint[])`)
    .select([
      "events.id",
      "events.instanceId",
      "instances.name as instanceName",
      "events.type",
      "events.severity",
      "events.at",
      "events.receivedAt",
      "events.namespaces",
      "events.workloadIds",
      "events.revision",
      "events.message",
    ])
    .orderBy("events.id");
}

function eventsIn(connection: Connection, filter: EventFilter) {
  const { namespaces, workloadIds, search } = filter;
  const columns = {
    instanceId: sql.ref<string>("instanceId"),
    namespaces: sql.ref<string[]>("namespaces"),
    resourceIds: sql.ref<string[]>("workloadIds"),
  };
  const asked = { namespaces: namespaces?.map(storableKey), resourceIds: workloadIds?.map(storableKey) };
  const query = connection
    .selectFrom("events")
    .select(shown)
    .where(isFoundWithin(filter.scope, columns, asked))
    .where(isAmong("instanceId", filter.instanceIds))
    .where(hasOneOf("namespaces", namespaces))
    .where(hasOneOf("workloadIds", workloadIds))
    .where(isAmong("type", filter.types))
    .where(isAmong("severity", filter.severities))
    .where(isBetween("at", filter));
  // The words of an event are of all that it's about, so that only those who see all of it find it by them.
  return searchFor(search ?? "") === undefined
    ? query
    : query.where(hasWords(search)).where(isWhollyWithin(filter.scope, columns));
}

function rowOf(event: NewEvent, now: number) {
  const workloadIds = event.workloadIds.slice(0, mostNames).map(storableKey);
  const message = storable(event.message, textLimits.message);
  return {
    instanceId: event.instanceId,
    type: storableKey(event.type),
    severity: event.severity,
    at: event.at,
    receivedAt: new Date(now),
    namespaces: event.namespaces.slice(0, mostNames).map(storableKey),
    workloadIds,
    revision: storableKey(event.revision),
    message,
    metadata: storableJson(event.metadata) ?? JSON.stringify({ omitted: "too large" }),
    fingerprint: storableKey(event.fingerprint),
    words: wordsOf(event.type, event.revision, message, ...workloadIds),
  };
}
