/** Conditions of lists: those about what is undefined, which nobody asks for, hold for every row. */
import { type RawBuilder, sql } from "kysely";
import { searchFor } from "./search-words.ts";
import { storableKey } from "./storable.ts";

/** True for the rows with one of these values. */
export function isAmong(column: string, values: readonly string[] | undefined): RawBuilder<boolean> {
  return values === undefined
    ? everything
    : sql`${sql.ref(column)} = any(${values.map(storableKey)}::text[])`;
}

/** True for the rows whose list has one of these values. */
export function hasOneOf(column: string, values: readonly string[] | undefined): RawBuilder<boolean> {
  return values === undefined ? everything : sql`${sql.ref(column)} && ${values.map(storableKey)}::text[]`;
}

/** True for the rows from one time on, and before another. */
export function isBetween(
  column: string,
  { from, to }: { readonly from?: Date | undefined; readonly to?: Date | undefined },
): RawBuilder<boolean> {
  const isAfter = from === undefined ? everything : sql`${sql.ref(column)} >= ${from}`;
  const isBefore = to === undefined ? everything : sql`${sql.ref(column)} < ${to}`;
  return sql`(${isAfter} and ${isBefore})`;
}

/** True for the rows whose column `search` has each word of a text, or a word that begins with it. */
export function hasWords(text: string | undefined): RawBuilder<boolean> {
  const words = searchFor(text ?? "");
  return words === undefined ? everything : sql`search @@ ${words}`;
}

const everything = sql<boolean>`true`;
