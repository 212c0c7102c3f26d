import { isJsonArray, type JsonValue } from "@weir/base";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { Problem } from "../problem/problem.ts";
import type { Tables } from "./schema.ts";

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

/** An order of a list: what it's sorted by, the last of which is different for each row, and their values in a row. */
export interface Order<Row> {
  readonly by: readonly RawBuilder<unknown>[];
  readonly valuesOf: (row: Row) => readonly (string | number | boolean | Date)[];
}

/** The most items of a page. */
export const longestPage = 200;

/**
 * Reads one page of a query: what follows the last row of the page before, wherever that row would be now. Throws a
 * Problem if the cursor isn't one of this list and order.
 */
export async function readPage<Table extends keyof Tables, Row, SortName extends string>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  orders: Readonly<Record<SortName, Order<Row>>>,
  request: PageRequest<SortName>,
): Promise<Page<Row>> {
  const { by, valuesOf } = orders[request.sort];
  const limit = Math.min(Math.max(1, Math.trunc(request.limit)), longestPage);
  const after =
    request.cursor === undefined ? undefined : readCursor(request.cursor, request.sort, by.length);
  const direction = request.descending ? "desc" : "asc";
  let page = query.limit(limit + 1);
  for (const each of by) {
    page = page.orderBy(each, direction);
  }
  if (after !== undefined) {
    const sign = sql.raw(request.descending ? "<" : ">");
    page = page.where(sql<boolean>`(${sql.join(by)}) ${sign} (${sql.join(after)})`);
  }
  const rows = await page.execute();
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, next: more ? printCursor(request.sort, valuesOf(last)) : undefined };
}

function printCursor(sort: string, values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([sort, ...values])).toString("base64url");
}

function readCursor(cursor: string, sort: string, length: number): readonly (string | number | boolean)[] {
  const [ofSort, ...values] = parseList(Buffer.from(cursor, "base64url").toString());
  if (ofSort !== sort || values.length !== length || !values.every(isKey)) {
    throw new Problem("invalid", "The cursor belongs to another list.", {
      remedy: "Read the list from its beginning, without a cursor.",
    });
  }
  return values;
}

function parseList(text: string): readonly JsonValue[] {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isKey(value: JsonValue): value is string | number | boolean {
  return (
    ["string", "number", "boolean"].includes(typeof value) &&
    !(typeof value === "string" && value.includes("\0"))
  );
}
