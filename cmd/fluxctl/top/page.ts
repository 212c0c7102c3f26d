import { detailsOf } from "./details.ts";
import { printEventLine } from "./event-line.ts";
import { help } from "./help.ts";
import { type Line, lineOf, span, wrap } from "./line.ts";
import type { Remark, TopState } from "./model.ts";
import { rowsOf } from "./rows.ts";

/** What covers the tree, if it's a page of text: a title, and lines of the width of the screen. */
export interface Page {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly scroll: number;
  /** What keys do here. */
  readonly hint: string;
}

const pageHint = "up/down scroll  q back";

/** The page that's open; undefined if there's none. */
export function pageOf(state: TopState): Page | undefined {
  const { overlay } = state;
  switch (overlay?.kind) {
    case "text":
      return pageWith(state, overlay.title, overlay.lines, overlay.scroll);
    case "help":
      return pageWith(state, "Help", help, overlay.scroll);
    case "events":
      return pageWith(
        state,
        "Events, newest first",
        state.events.toReversed().map(printEventLine),
        overlay.scroll,
      );
    case "details": {
      const row = rowsOf(state).find(({ key }) => key === state.cursor);
      const title = row?.node.kind === "resource" ? row.node.status.id : "";
      return pageWith(state, title, detailsOf(state, row), overlay.scroll);
    }
    case "confirm":
      return {
        ...pageWith(state, `Release ${overlay.image}?`, overlay.lines, overlay.scroll),
        hint: "y commit it to git and apply it  n cancel",
      };
    default:
      return undefined;
  }
}

/** Long lines go on in the next; the indentation of a diff counts. */
function pageWith({ columns }: TopState, title: string, remarks: readonly Remark[], scroll: number): Page {
  const lines = remarks.flatMap(({ tone, text }) =>
    wrapIndented(span(text).text, columns).map((line) => lineOf(line, tone)),
  );
  return { title, lines, scroll, hint: pageHint };
}

/** Keeps the spaces at the beginning of a line. */
function wrapIndented(text: string, columns: number): readonly string[] {
  const indent = /^ */.exec(text)?.[0] ?? "";
  const room = Math.max(1, columns - indent.length);
  return wrap(text.slice(indent.length), room).map((line) => indent + line);
}
