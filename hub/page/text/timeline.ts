import { dayOf, type TimeFormat } from "./time.ts";

/** Something with a time. */
interface Dated {
  readonly at: string;
}

/** What happened on a day, newest first. */
export interface Day<Row> {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** Groups rows that are sorted by time into days. */
export function byDay<Row extends Dated>(
  rows: readonly Row[],
  now: number,
  format: TimeFormat = {},
): readonly Day<Row>[] {
  const days: { readonly name: string; readonly rows: Row[] }[] = [];
  for (const row of rows) {
    const name = dayOf(row.at, now, format);
    const last = days.at(-1);
    if (last?.name === name) {
      last.rows.push(row);
    } else {
      days.push({ name, rows: [row] });
    }
  }
  return days;
}
