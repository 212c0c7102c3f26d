/**
 * The menu in which a person chooses what to release: rows of a result, of which those with an update can be chosen.
 * Out of keys comes the next menu, out of a menu its picture and what is chosen. As Flux v1's, whose cursor however
 * chooses the wrong row where rows that cannot be chosen stand before it.
 */
import type { ResourceId } from "../../src/resource/id.ts";
import type { UpdateResult } from "../../src/update/result.ts";
import type { ContainerUpdate } from "../../src/update/spec.ts";
import type { Paint } from "./output/paint.ts";
import { type ResultRow, resultHeading, resultRows } from "./output/result.ts";
import { alignTabs } from "./output/table.ts";

/** A key that means something. */
export type MenuKey = "up" | "down" | "toggle" | "submit" | "abort";

/** A menu as it stands. */
export interface Menu {
  readonly rows: readonly ResultRow[];
  /** The rows that can be chosen, by their indexes. */
  readonly choices: readonly number[];
  /** Where the cursor is, among the choices. */
  readonly cursor: number;
  /** The rows that are chosen, by their indexes. */
  readonly checked: ReadonlySet<number>;
}

const glyphs = { cursor: "\u21d2", checked: "\u25c9", unchecked: "\u25ef" };

const hint = "Use arrow keys and [Space] to toggle updates; hit [Enter] to release selected.";

/** A menu of a result, with every update chosen. */
export function openMenu(result: UpdateResult, verbosity: number, paint: Paint): Menu {
  const rows = resultRows(result, verbosity, paint);
  const choices = [...rows.keys()].filter((index) => rows[index]?.update !== undefined);
  return { rows, choices, cursor: 0, checked: new Set(choices) };
}

/** The keys in what a keyboard sent; what means nothing is left out. */
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

/** The menu after a key that moves the cursor, which goes round, or one that toggles the row at it. */
export function pressKey(menu: Menu, key: "up" | "down" | "toggle"): Menu {
  const { choices, cursor, checked } = menu;
  if (key !== "toggle") {
    const step = key === "down" ? 1 : choices.length - 1;
    return { ...menu, cursor: (cursor + step) % choices.length };
  }
  const row = choices[cursor];
  return row === undefined ? menu : { ...menu, checked: checked.symmetricDifference(new Set([row])) };
}

/** The updates that are chosen, by workload. */
export function chosenUpdates({ rows, checked }: Menu): ReadonlyMap<ResourceId, readonly ContainerUpdate[]> {
  const chosen = rows.filter((_row, index) => checked.has(index));
  const byId = Map.groupBy(chosen, ({ id }) => id);
  return new Map([...byId].map(([id, each]) => [id, each.flatMap(({ update }) => update ?? [])]));
}

/**
 * The picture of a menu, in lines. Where there is `room` for only so many lines, it shows the rows around the cursor, and
 * how many there are before and behind them.
 */
export function printMenu(menu: Menu, paint: Paint, room = Number.POSITIVE_INFINITY): string {
  const heading = `    ${resultHeading(paint)}`;
  // All rows are lined up, also those that are not shown, so that nothing moves sideways as the cursor goes on.
  const [top = "", ...rows] = alignTabs([heading, ...rowLines(menu, paint)].join("\n")).split("\n");
  const shown = rowsAround(menu, rows, room - linesBesideRows);
  return [top, ...shown, "", paint.faint(hint)].map((line) => `${line}\n`).join("");
}

/** The heading, an empty line and the hint. */
const linesBesideRows = 3;

function rowLines({ rows, choices, cursor, checked }: Menu, paint: Paint): readonly string[] {
  return rows.map(({ cells, update }, index) => {
    const pointer = choices[cursor] === index ? paint.heading(glyphs.cursor) : " ";
    const mark = checked.has(index) ? paint.good(glyphs.checked) : glyphs.unchecked;
    // What a server says of an error may have several lines; a row has one.
    return `${pointer} ${update === undefined ? " " : mark} ${cells.replaceAll("\n", " ")}`;
  });
}

/** The rows that there is room for; two lines of it say how many are not shown. */
function rowsAround({ choices, cursor }: Menu, rows: readonly string[], room: number): readonly string[] {
  if (rows.length <= room) {
    return rows;
  }
  const size = Math.max(1, room - 2);
  const middle = (choices[cursor] ?? 0) - Math.floor(size / 2);
  const first = Math.max(0, Math.min(middle, rows.length - size));
  const behind = rows.length - first - size;
  return [`    ... ${first} before`, ...rows.slice(first, first + size), `    ... ${behind} behind`];
}
