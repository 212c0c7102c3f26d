import type { Paint } from "./paint.ts";
import { visibleWidth } from "./screen-text.ts";

/** How a table is to look. */
export interface TableLook {
  readonly headers: boolean;
  readonly wide: boolean;
  readonly paint: Paint;
}

/** Blanks between a column and the next. */
const padding = 2;

/**
 * Lines up cells that are separated by tabs, as Go's text/tabwriter does with a padding of two blanks: a column
 * reaches over lines that follow each other, and the text behind the last tab of a line belongs to no column. As Go
 * it counts characters, not how wide they are; codes for colours do not count.
 */
export function alignTabs(text: string): string {
  const rows = text.split("\n").map((line) => line.split("\t"));
  const widths: readonly number[][] = rows.map(() => []);
  const columns = rows.reduce((most, row) => Math.max(most, row.length - 1), 0);
  for (let column = 0; column < columns; column++) {
    widenColumn(rows, widths, column);
  }
  return rows.map((row, index) => printRow(row, widths[index] ?? [])).join("\n");
}

/** Lines of cells that are separated by tabs, lined up, with a newline behind each. */
export function printLines(lines: readonly string[]): string {
  return alignTabs(lines.map((line) => `${line}\n`).join(""));
}

/** Notes for each row with a cell in the column how wide its block of rows is there. */
function widenColumn(rows: readonly string[][], widths: readonly number[][], column: number): void {
  for (let start = 0; start < rows.length; ) {
    let end = start;
    while (hasColumn(rows[end], column)) {
      end++;
    }
    const block = rows.slice(start, end);
    const width = block.reduce((widest, row) => Math.max(widest, visibleWidth(row[column] ?? "")), 0);
    widths.slice(start, end).forEach((row) => row.push(width + padding));
    start = end + 1;
  }
}

function hasColumn(row: readonly string[] | undefined, column: number): boolean {
  return row !== undefined && column < row.length - 1;
}

function printRow(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, index) => cell + " ".repeat(Math.max(0, (widths[index] ?? 0) - visibleWidth(cell))))
    .join("");
}
