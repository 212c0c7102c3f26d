/**
 * The menu for selecting updates to release: rows of a result, of which those with an update can be selected.
 * A key leads to the next menu, and a menu has a printed form and a selection. As in Flux v1, except that its
 * cursor selects the wrong row if rows that can't be selected come before it.
 */
import type { ContainerUpdate, ResourceId, UpdateResult } from "@weir/flux";
import type { Paint } from "../output/paint.ts";
import { type ResultRow, resultHeading, resultRows } from "../output/result.ts";
import { alignTabs } from "../output/table.ts";

/** A key with a function in the menu. */
export type MenuKey = "up" | "down" | "toggle" | "submit" | "abort";

/** The state of a menu. */
export interface Menu {
  readonly rows: readonly ResultRow[];
  /** The indexes of the rows that can be selected. */
  readonly choices: readonly number[];
  /** The position of the cursor among the choices. */
  readonly cursor: number;
  /** The indexes of the selected rows. */
  readonly checked: ReadonlySet<number>;
}

const glyphs = { cursor: "\u21d2", checked: "\u25c9", unchecked: "\u25ef" };

const hint = "Use arrow keys and [Space] to toggle updates; hit [Enter] to release selected.";

/** A menu for a result, with every update selected. */
export function openMenu(result: UpdateResult, verbosity: number, paint: Paint): Menu {
  const rows = resultRows(result, verbosity, paint);
  const choices = [...rows.keys()].filter((index) => rows[index]?.update !== undefined);
  return { rows, choices, cursor: 0, checked: new Set(choices) };
}

/** The keys in keyboard input; other input is ignored. */
export function parseMenuKeys(input: string): readonly MenuKey[] {
  const keys = input.match(/\x1b[[O][A-Za-z]|[^]/g) ?? [];
  return keys.flatMap((key) => meanings[key] ?? []);
}

const meanings: Readonly<Record<string, MenuKey>> = {
  "\x1b[A": "up",
  "\x1bOA": "up",
  k: "up",
  "\x1b[B": "down",
  "\x1bOB": "down",
  j: "down",
  "\t": "down",
  " ": "toggle",
  "\r": "submit",
  "\n": "submit",
  q: "abort",
  "\x03": "abort",
  "\x1b": "abort",
};

/** The menu after a key that moves the cursor, which wraps around, or toggles the current row. */
export function pressKey(menu: Menu, key: "up" | "down" | "toggle"): Menu {
  const { choices, cursor, checked } = menu;
  if (key !== "toggle") {
    const step = key === "down" ? 1 : choices.length - 1;
    return { ...menu, cursor: (cursor + step) % choices.length };
  }
  const row = choices[cursor];
  return row === undefined ? menu : { ...menu, checked: checked.symmetricDifference(new Set([row])) };
}

/** The selected updates, by workload. */
export function chosenUpdates({ rows, checked }: Menu): ReadonlyMap<ResourceId, readonly ContainerUpdate[]> {
  const chosen = rows.filter((_row, index) => checked.has(index));
  const byId = Map.groupBy(chosen, ({ id }) => id);
  return new Map([...byId].map(([id, each]) => [id, each.flatMap(({ update }) => update ?? [])]));
}

/**
 * Prints a menu, in lines. If `room` limits the number of lines, it shows the rows around the cursor, and how
 * many rows are before and after them.
 */
export function printMenu(menu: Menu, paint: Paint, room = Number.POSITIVE_INFINITY): string {
  const heading = `    ${resultHeading(paint)}`;
  // All rows are aligned, including hidden ones, so that columns don't move with the cursor.
  const [top = "", ...rows] = alignTabs([heading, ...rowLines(menu, paint)].join("\n")).split("\n");
  const shown = rowsAround(menu, rows, room - linesBesideRows);
  return [top, ...shown, "", paint.faint(hint)].map((line) => `${line}\n`).join("");
}

/** The heading, an empty line, and the hint. */
const linesBesideRows = 3;

function rowLines({ rows, choices, cursor, checked }: Menu, paint: Paint): readonly string[] {
  return rows.map(({ cells, update }, index) => {
    const pointer = choices[cursor] === index ? paint.heading(glyphs.cursor) : " ";
    const mark = checked.has(index) ? paint.good(glyphs.checked) : glyphs.unchecked;
    // A server's error message can have several lines; a row has one.
    return `${pointer} ${update === undefined ? " " : mark} ${cells.replaceAll("\n", " ")}`;
  });
}

/** The visible rows; two lines are reserved for the numbers of hidden rows. */
function rowsAround({ choices, cursor }: Menu, rows: readonly string[], room: number): readonly string[] {
  if (rows.length <= room) {
    return rows;
  }
  const size = Math.max(1, room - 2);
  const middle = (choices[cursor] ?? 0) - Math.floor(size / 2);
  const first = Math.max(0, Math.min(middle, rows.length - size));
  const after = rows.length - first - size;
  return [`    ... ${first} before`, ...rows.slice(first, first + size), `    ... ${after} after`];
}
