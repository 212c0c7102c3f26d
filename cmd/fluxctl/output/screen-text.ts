import { makeVisible } from "@weir/base";

/** fluxctl's own codes, which change how characters look and have no width. */
const styles = /\x1b[0-9a-z]+!\[[0-9]+m/g;

/** The visible width of a text, after it's sanitized by the door. */
export function visibleWidth(text: string): number {
  return Array.from(makeVisible(text.replaceAll(styles, ""))).length;
}

/** How many lines of a terminal a text takes, including wrapped lines; `columns` is 0 if unknown. */
export function linesOnScreen(text: string, columns: number): number {
  const lines = text.split("\n").slice(0, -1);
  return lines.reduce((sum, line) => sum + linesOf(line, columns), 0);
}

/** The first lines of a text that fit; if lines are omitted, the last line says how many. */
export function fitLines(text: string, columns: number, room: number): string {
  if (linesOnScreen(text, columns) <= room) {
    return text;
  }
  const lines = text.split("\n").slice(0, -1);
  let [shown, left] = [0, room - 1];
  for (const line of lines) {
    left -= linesOf(line, columns);
    if (left < 0) {
      break;
    }
    shown += 1;
  }
  const rest = `... and ${lines.length - shown} more lines`;
  return [...lines.slice(0, shown), rest].map((line) => `${line}\n`).join("");
}

function linesOf(line: string, columns: number): number {
  return columns === 0 ? 1 : Math.max(1, Math.ceil(visibleWidth(line) / columns));
}

/** The first characters of a line; styles that begin in them also end. */
export function clipLine(line: string, columns: number): string {
  if (visibleWidth(line) <= columns) {
    return line;
  }
  let [room, clipped] = [columns, ""];
  for (const piece of line.split(new RegExp(`(${styles.source})`))) {
    if (isStyle(piece)) {
      clipped += piece;
    } else {
      const characters = Array.from(makeVisible(piece)).slice(0, room);
      room -= characters.length;
      clipped += characters.join("");
    }
  }
  return clipped;
}

function isStyle(piece: string): boolean {
  return new RegExp(`^${styles.source}$`).test(piece);
}
