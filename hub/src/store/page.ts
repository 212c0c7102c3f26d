import { isJsonArray, type JsonValue } from "@weir/base";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { Problem } from "../problem/problem.ts";
import { isWrongValue } from "./violation.ts";

/** A part of a list, and where the next one begins; undefined after the last. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** Which part of a list, in which order. */
export interface PageRequest<SortName extends string> {
  readonly sort: SortName;
  readonly descending: boolean;
  /** From the page before; undefined for the first page. */
  readonly cursor?: string | undefined;
  /** How many items; at most 200. */
  readonly limit: number;
}

/** What a list is sorted by, none of which is null; the last is different for each row. */
export type Order = readonly RawBuilder<unknown>[];

/** The most items of a page. */
export const longestPage = 200;

/**
 * Reads one page of a query: what follows the last row of the page before, wherever that row would be now. Throws a
 * Problem if the cursor isn't one of this list and order.
 */
export async function readPage<DB, Table extends keyof DB, Row extends object, SortName extends string>(
  query: SelectQueryBuilder<DB, Table, Row>,
  orders: Readonly<Record<SortName, Order>>,
  request: PageRequest<SortName>,
): Promise<Page<Row>> {
  const order = orders[request.sort];
  const limit = Math.min(Math.max(1, Math.trunc(request.limit)), longestPage);
  const direction = request.descending ? "desc" : "asc";
  let page = query.limit(limit + 1);
  for (const each of order) {
    page = page.orderBy(each, direction);
  }
  if (request.cursor !== undefined) {
    const position = readCursor(request.cursor, request.sort, order.length);
    page = page.where(isBehind(position, order, request.descending));
  }
  // Each by itself: PostgreSQL would build an array of them for every row that the page is chosen from.
  const keys = order.map((each, index) => sql<string>`(${each})::text`.as(`${keyPrefix}${index}`));
  const rows = await page
    .select(keys)
    .$castTo<Row & Keyed>()
    .execute()
    .catch((error: unknown) => {
      throw request.cursor !== undefined && isWrongValue(error) ? wrongCursor(error) : error;
    });
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return {
    items: items.map(withoutKeys<Row>),
    next: last && printCursor(request.sort, keysOf(last, order.length)),
  };
}

/**
 * Whether a row comes after the cursor's. Not written as one comparison of rows: PostgreSQL would estimate from the first
 * column alone how many rows follow, which is hardly any if that column has few values, and choose a plan for that.
 */
function isBehind(position: readonly string[], order: Order, descending: boolean): RawBuilder<boolean> {
  const sign = sql.raw(descending ? "<" : ">");
  const [first, ...others] = order;
  const [value, ...values] = position;
  return others.length === 0
    ? sql<boolean>`${first} ${sign} ${value}`
    : sql<boolean>`(${first} ${sign}= ${value}
        and (${first} ${sign} ${value} or (${sql.join(others)}) ${sign} (${sql.join(values)})))`;
}

/** What the names of the values that a list is sorted by begin with. No column has a space in its name. */
const keyPrefix = "key ";

/** A row with its values of what the list is sorted by. */
type Keyed = Readonly<Record<`${typeof keyPrefix}${number}`, string>>;

function keysOf(row: Keyed, count: number): readonly string[] {
  return Array.from({ length: count }, (_item, index) => row[`${keyPrefix}${index}`] ?? "");
}

function withoutKeys<Row extends object>(keyed: Row & Keyed): Row {
  return Object.fromEntries(Object.entries(keyed).filter(([name]) => !name.startsWith(keyPrefix))) as Row;
}

function printCursor(sort: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([sort, ...values])).toString("base64url");
}

/** The keys are text for the database to read: an embedded one would take a number for a time, too. */
function readCursor(cursor: string, sort: string, length: number): readonly string[] {
  const [ofSort, ...values] = parseList(Buffer.from(cursor, "base64url").toString());
  if (ofSort !== sort || values.length !== length || !values.every(isKey)) {
    throw wrongCursor();
  }
  return values.map(String);
}

function wrongCursor(cause?: unknown): Problem {
  return new Problem("invalid", "The cursor belongs to another list.", {
    advice: "Read the list from its beginning, without a cursor.",
    cause,
  });
}

function parseList(text: string): readonly JsonValue[] {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isKey(value: JsonValue): value is string | number {
  return typeof value === "number" || (typeof value === "string" && !value.includes("\0"));
}
