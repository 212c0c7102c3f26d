import type { JsonValue } from "@weir/base";
import { type Selectable, sql } from "kysely";
import { hasUpdated } from "./affected.ts";
import { hasWords, isAmong, isBetween } from "./filter.ts";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, Tables } from "./schema.ts";
import { isWithin, type Scope } from "./scope.ts";
import { wordsOf } from "./search-words.ts";
import { storable, storableJson, storableKey, textLimits } from "./storable.ts";

/** What somebody did, or tried to do. */
export type AuditEntry = Omit<Selectable<Tables["audit"]>, "words" | "search">;

/** An entry to be added. Its detail must not contain a secret. */
export type NewAuditEntry = Omit<AuditEntry, "id" | "at">;

/** The only order of the log: by the time. */
export type AuditSort = "at";

/** Which entries to list; what isn't set doesn't matter. */
export interface AuditFilter {
  /** Without it, everything. */
  readonly scope?: Scope;
  readonly actions?: readonly string[] | undefined;
  readonly instanceIds?: readonly string[] | undefined;
  /** From this time on, and before that. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly search?: string | undefined;
}

/** Adds an entry; resolves to its ID. */
export async function addAuditEntry(
  connection: Connection,
  entry: NewAuditEntry,
  now: number,
): Promise<number> {
  const { id } = await connection
    .insertInto("audit")
    .values({
      ...changingOf(entry),
      at: new Date(now),
      action: storableKey(entry.action),
      address: storableKey(entry.address),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Says how ended what an entry says begins; false if there's no such entry any more. */
export async function endAuditEntry(
  connection: Connection,
  id: number,
  entry: NewAuditEntry,
): Promise<boolean> {
  return hasUpdated(
    connection
      .updateTable("audit")
      .set(changingOf(entry))
      .where("id", "=", id)
      .where("outcome", "=", "begun"),
  );
}

/** A page of the log. */
export function listAudit(
  connection: Connection,
  { scope = "everything", actions, instanceIds, search, ...times }: AuditFilter,
  page: PageRequest<AuditSort>,
): Promise<Page<AuditEntry>> {
  const place = {
    instanceId: sql<string>`instance_id`,
    namespaces: sql<readonly string[]>`array[namespace]`,
  };
  const query = connection
    .selectFrom("audit")
    .select(shown)
    .where(isWithin(scope, place))
    .where(isAmong("action", actions))
    .where(isAmong("instanceId", instanceIds))
    .where(isBetween("at", times))
    .where(hasWords(search));
  return readPage(query, orders, page);
}

const shown = [
  "id",
  "at",
  "actorKind",
  "actorId",
  "actorName",
  "action",
  "outcome",
  "instanceId",
  "namespace",
  "subject",
  "detail",
  "address",
] as const;

const orders: Readonly<Record<AuditSort, Order>> = { at: [sql`at`, sql`id`] };

/** What is known only once something has ended. */
function changingOf(entry: NewAuditEntry) {
  const { actorKind, actorName, action, outcome, namespace, subject, detail } = entry;
  return {
    actorKind,
    actorId: storableKey(entry.actorId),
    actorName: storable(actorName, textLimits.line),
    outcome,
    instanceId: entry.instanceId === null ? null : storableKey(entry.instanceId),
    namespace: namespace === null ? null : storableKey(namespace),
    subject: storable(subject, textLimits.line),
    detail: storableJson(detail) ?? JSON.stringify({ omitted: "too large" }),
    words: wordsOf(action, actorName, subject, namespace ?? "", textOf(detail)),
  };
}

function textOf(detail: JsonValue): string {
  return storableJson(detail)?.slice(0, textLimits.message) ?? "";
}
