/**
 * Prints changes as Markdown for a pull request. The same input always gives the same text, and no content can leave its
 * place: text from manifests is either in a fence that's longer than any in it, or escaped for HTML.
 */
import { makeVisible } from "@weir/base";
import type { ResourcePreview } from "@weir/flux";
import { isChange, patchOf, type Sides } from "./diff.ts";

/** What to print. */
export interface MarkdownReport {
  readonly changes: readonly ResourcePreview[];
  /** One line each. */
  readonly problems: readonly string[];
  /** Sentences. */
  readonly notes: readonly string[];
}

/** How to print it. */
export interface MarkdownStyle {
  readonly sides: Sides;
  /** In bytes of UTF-8, of which there are never fewer than characters; 0 for no limit. */
  readonly maxSize: number;
}

/** The largest comment that GitHub takes has this many characters; GitLab takes more. */
export const usualMaxSize = 65_536;

/** There must be room for the summary, and for what was left out. */
export const leastMaxSize = 1_000;

/** By this line, a pipeline finds the comment that it wrote before. */
const mark = "<!-- fluxctl diff -->";

/** The report as Markdown, with a line feed at its end. Objects that don't fit are left out as a whole, and counted. */
export function printMarkdown(report: MarkdownReport, { sides, maxSize }: MarkdownStyle): string {
  const limit = maxSize === 0 ? Infinity : maxSize;
  // What sanitizes the output later would make it longer.
  const blocks = report.changes.filter(isTold).map((change) => makeVisible(printBlock(change, sides)));
  const top = [mark, `**${printSummary(report)}**`];
  const reserve = sizeOf(top) + sizeOf([leftOut(blocks.length, maxSize)]);
  const findings = printFindings(report, (limit - reserve) / 2);
  const shown = fitting(blocks, limit - reserve - sizeOf(findings));
  const missing = blocks.length - shown.length;
  const bottom = missing === 0 ? [] : [leftOut(missing, maxSize)];
  return [...top, ...findings, ...shown, ...bottom].map((part) => `${part}\n`).join("\n");
}

/** An object that isn't changed is told only if it's refused, which is among the problems already. */
function isTold(change: ResourcePreview): boolean {
  return isChange(change);
}

/** E.g. "1 added, 2 changed, 0 removed". The first three counts are always there, so that they can be searched for. */
function printSummary({ changes, problems }: MarkdownReport): string {
  const count = (action: ResourcePreview["action"]): number =>
    changes.filter((change) => change.action === action).length;
  const counts = `${count("create")} added, ${count("change")} changed, ${count("delete")} removed`;
  const hooks = count("run") === 0 ? "" : `, ${count("run")} to run`;
  const wrong = problems.length === 0 ? "" : `, ${problems.length} invalid`;
  return counts + hooks + wrong;
}

function printFindings({ problems, notes }: MarkdownReport, most: number): readonly string[] {
  const lines = fitting(problems.map(makeVisible), most - 200);
  const more = problems.length - lines.length;
  const text = [...lines, ...(more === 0 ? [] : [`... and ${more} more`])].join("\n");
  const told = fitting(
    notes.map((note) => `> ${escapeText(makeVisible(note))}`),
    most / 2,
  );
  return [...(problems.length === 0 ? [] : [fenced("text", text)]), ...told];
}

const verbs = { create: "added", change: "changed", delete: "removed", run: "run", leave: "unchanged" };

function printBlock(change: ResourcePreview, sides: Sides): string {
  const { action, id, source, error } = change;
  const place = source === "" ? "" : ` (<code>${escapeHtml(source)}</code>)`;
  const refused = error === "" ? "" : ", refused";
  const title = `${verbs[action]}${refused} <code>${escapeHtml(id)}</code>${place}`;
  const patch = patchOf(change, sides).trimEnd();
  return `<details><summary>${title}</summary>\n\n${fenced("diff", patch)}\n\n</details>`;
}

function leftOut(count: number, maxSize: number): string {
  return `${count === 1 ? "1 object is" : `${count} objects are`} left out, because this text may have at most ${maxSize} bytes; \`fluxctl diff\` shows all.`;
}

/** Those that fit together, in their order. */
function fitting(parts: readonly string[], most: number): readonly string[] {
  let used = 0;
  return parts.filter((part) => {
    const size = sizeOf([part]);
    if (used + size > most) {
      return false;
    }
    used += size;
    return true;
  });
}

/** With the line feed of each part, and the empty line after it. */
function sizeOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part) + 2, 0);
}

/** A code block; its fence is longer than any row of backticks in the content. */
function fenced(language: string, content: string): string {
  const rows = (content.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = "`".repeat(Math.max(3, ...rows.map((length) => length + 1)));
  return `${fence}${language}\n${content}\n${fence}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** For running text, where Markdown has signs of its own, too. */
function escapeText(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[&<>"'`*_[\]()#!|~\\@]/g, (char) => `&#${char.charCodeAt(0)};`);
}
