import pg from "pg";

/** The types whose values both databases return alike, by the object IDs that PostgreSQL gives them. */
const bigint = 20;
const bigintList = 1016;

/** How PGlite reads values where its own way differs: numbers of rows and IDs are far below 2^53. */
export const embeddedParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [bigint]: Number,
  [bigintList]: readNumbers,
};

/** How the client of a server reads values. */
export const serverTypes: pg.CustomTypesConfig = {
  getTypeParser(type, format) {
    const ours = format === "binary" ? undefined : embeddedParsers[type];
    return ours ?? (pg.types.getTypeParser(type, format) as (text: string) => unknown);
  },
};

/** `{1,2}` as numbers. */
function readNumbers(text: string): readonly number[] {
  const inner = text.slice(1, -1);
  return inner === "" ? [] : inner.split(",").map(Number);
}
