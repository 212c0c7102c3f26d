import { printEventLine } from "./event-line.ts";
import { layoutOf, scrolledTo } from "./layout.ts";
import { clip, clipLine, fit, type Line, lineOf, type Span, span, widthOf } from "./line.ts";
import type { Overlay, TopState } from "./model.ts";
import { type Page, pageOf } from "./page.ts";
import { rowsOf, tallyOf } from "./rows.ts";
import { columnsOf, headingLine, treeLine } from "./tree-line.ts";

/** The lines of the screen: exactly as many as it has, and none is wider. */
export function view(state: TopState): readonly Line[] {
  const layout = layoutOf(state);
  const page = pageOf(state);
  const body =
    page === undefined
      ? (imageLines(state, layout.body) ?? treeLines(state, layout.body))
      : pageLines(page, layout.body);
  const lines = [
    titleLine(state),
    ...bannerLines(state),
    ...(layout.heading === 0 ? [] : [headingLine(columnsOf(state.columns))]),
    ...filled(body, layout.body),
    ...filled(eventLines(state, layout.events), layout.events),
    lastLine(state, page),
  ];
  return filled(
    lines.map((line) => clipLine(line, state.columns)),
    state.rows,
  );
}

const empty: Line = { spans: [] };

/** Exactly that many lines. */
function filled(lines: readonly Line[], count: number): readonly Line[] {
  return Array.from({ length: count }, (_, index) => lines[index] ?? empty);
}

/** What is connected, and how everything stands. */
function titleLine({ title, findings, columns, filter, troubleOnly }: TopState): Line {
  const { revision, resources, unapplied } = findings;
  const tally = tallyOf(resources, unapplied);
  const parts: readonly (Span | undefined)[] = [
    span(title, "heading"),
    revision === "" ? undefined : span(revision.slice(0, 7)),
    tally.unhealthy === 0 ? undefined : span(`${tally.unhealthy} unhealthy`, "bad"),
    tally.progressing === 0 ? undefined : span(`${tally.progressing} progressing`, "pending"),
    tally.drifted === 0 ? undefined : span(`${tally.drifted} drifted`, "bad"),
    tally.pending === 0 ? undefined : span(`${tally.pending} pending`, "pending"),
    unapplied === undefined || unapplied === 0
      ? undefined
      : span(`${unapplied} ${unapplied === 1 ? "commit" : "commits"} to apply`, "pending"),
    filter === "" ? undefined : span(`/${filter}`, "heading"),
    troubleOnly ? span("problems only", "heading") : undefined,
    columns < 60
      ? undefined
      : span(`${tally.resources} ${tally.resources === 1 ? "resource" : "resources"}`, "faint"),
  ];
  const present = parts.filter((part) => part !== undefined);
  return { spans: present.flatMap((part, index) => (index === 0 ? [part] : [span("  "), part])) };
}

function bannerLines({ lost, banner }: TopState): readonly Line[] {
  if (lost !== "") {
    return [{ ...lineOf(lost, "bad"), isSelected: true }];
  }
  return banner === "" ? [] : [{ ...lineOf(banner, "pending"), isSelected: true }];
}

function treeLines(state: TopState, room: number): readonly Line[] {
  const rows = rowsOf(state);
  if (rows.length === 0) {
    return [lineOf(emptyText(state), "faint")];
  }
  const columns = columnsOf(state.columns);
  return rows
    .slice(state.scroll, state.scroll + room)
    .map((row) => treeLine(row, { columns, state, isSelected: row.key === state.cursor }));
}

function emptyText({ filter, troubleOnly, findings }: TopState): string {
  if (filter !== "" || troubleOnly) {
    return "Nothing matches; Esc shows everything.";
  }
  return findings.revision === "" ? "" : "There are no resources in git.";
}

function pageLines({ title, lines, scroll }: Page, room: number): readonly Line[] {
  return [lineOf(title, "heading"), ...lines.slice(scroll, scroll + Math.max(0, room - 1))];
}

function imageLines({ overlay, columns }: TopState, room: number): readonly Line[] | undefined {
  if (overlay?.kind !== "images") {
    return undefined;
  }
  const { id, choices, cursor } = overlay;
  const shown = Math.max(1, room - 1);
  const middle = Math.max(0, cursor - Math.floor(shown / 2));
  const first = scrolledTo({ selected: cursor, scroll: middle, room: shown, count: choices.length });
  const lines = choices.slice(first, first + shown).map(({ image, createdAt, isRunning }, index) => {
    const isSelected = first + index === cursor;
    const when = createdAt === "" || columns < 60 ? "" : `  ${createdAt.slice(0, 16).replace("T", " ")}`;
    const text = `${isSelected ? ">" : " "} ${image}${when}${isRunning ? "  (running)" : ""}`;
    return { ...lineOf(text, isRunning ? "good" : "plain"), isSelected };
  });
  return [lineOf(`Release to ${id}`, "heading"), ...lines];
}

/** The latest events, newest last, as in a log. */
function eventLines({ events, columns }: TopState, room: number): readonly Line[] {
  if (room === 0) {
    return [];
  }
  const rule = lineOf(
    fit("-- events ", columns).replaceAll(/ +$/g, (blank) => "-".repeat(blank.length)),
    "faint",
  );
  const latest = room < 2 ? [] : events.slice(1 - room);
  return [
    rule,
    ...latest.map((event) => {
      const { tone, text } = printEventLine(event);
      return lineOf(text, tone);
    }),
  ];
}

/** What is typed, said, or being done; otherwise what keys do. */
function lastLine(state: TopState, page: Page | undefined): Line {
  const { overlay, running, remark } = state;
  if (overlay?.kind === "input") {
    return lineOf(typedText(overlay, state.columns), "heading");
  }
  if (overlay?.kind === "wait") {
    return lineOf(`Waiting for ${overlay.what}; Esc cancels`, "pending");
  }
  if (overlay?.kind === "confirm" && page !== undefined) {
    return lineOf(page.hint, "heading");
  }
  if (running !== "") {
    return lineOf(`Now: ${running}`, "pending");
  }
  if (remark.text !== "") {
    return lineOf(remark.text, remark.tone);
  }
  if (overlay?.kind === "images") {
    return lineOf("enter choose  q back", "faint");
  }
  return lineOf(page?.hint ?? treeHint(state.columns), "faint");
}

function treeHint(columns: number): string {
  return columns < 60
    ? "? help  / filter  q quit"
    : "? help  / filter  enter details  d diff  r release  l lock  e events  q quit";
}

const questions = { filter: "Filter", lock: "Lock, because", unlock: "Unlock, because" } as const;

/** The end of a long text stays visible. */
function typedText({ purpose, id, text }: Extract<Overlay, { kind: "input" }>, columns: number): string {
  const question = purpose === "filter" ? "/" : `${questions[purpose]} (Enter; Esc cancels) ${id ?? ""}: `;
  const asked = clip(question, Math.max(1, Math.floor(columns / 2)));
  const room = Math.max(1, columns - widthOf(asked) - 1);
  let shown = span(text).text;
  while (widthOf(shown) > room) {
    shown = shown.slice(1);
  }
  return `${asked}${shown}_`;
}
