import type { Paint } from "./paint.ts";
import { visibleWidth } from "./screen-text.ts";

/** How to print a table. */
export interface TableLook {
  readonly headers: boolean;
  readonly wide: boolean;
  readonly paint: Paint;
}

/** The number of spaces between columns. */
const padding = 2;

/**
 * Aligns cells that are separated by tabs, like Go's text/tabwriter with a padding of two spaces: a column
 * spans consecutive lines, and the text after the last tab of a line belongs to no column. As in Go, all
 * characters have the same width; color codes have none.
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

/** Aligns lines with cells that are separated by tabs, and adds a newline to each. */
export function printLines(lines: readonly string[]): string {
  return alignTabs(lines.map((line) => `${line}\n`).join(""));
}

/** Stores, for each row with a cell in the column, the column's width in its block of rows. */
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
