import { type DiffReport, encodeDiff } from "@weir/flux/api";
import type { ComparisonReport, Problem } from "../../../src/switching/comparison/report.ts";
import type { CommandContext } from "../command.ts";
import { isChange, printChanges, printCounts, printDiff, type Sides, summarize } from "../output/diff.ts";
import { type OutputFormat, printAs } from "../output/format.ts";

export const diffFormats = ["diff", "short", "markdown", "json", "yaml", "name"] as const;

/** How to print. */
export interface PrintOptions {
  readonly format: (typeof diffFormats)[number] | Exclude<OutputFormat, string>;
  /** For markdown, in bytes; 0 for no limit. */
  readonly maxSize: number;
}

/** A comparison, and what was compared. */
export interface ComparedReport extends ComparisonReport {
  /** The commit that was compared; undefined for a folder. */
  readonly revision: string | undefined;
  /** The folder; "" for a commit. */
  readonly dir: string;
  readonly sides: Sides;
}

/** fluxd's own comparison, which fails if manifests can't be loaded. */
export function reportOfGit({ revision, changes }: DiffReport): ComparedReport {
  const sides = { before: "live", after: revision.slice(0, 7) };
  return { changes, problems: [], notes: [], revision, dir: "", sides };
}

/** Prints changes to stdout; for people, problems and a summary follow on stderr. */
export async function printReport(
  report: ComparedReport,
  { format, maxSize }: PrintOptions,
  context: CommandContext,
): Promise<void> {
  const { out, err, paint } = context;
  const { changes, sides, revision = "" } = report;
  switch (format) {
    case "diff":
      out(printDiff({ changes, revision }, paint, sides));
      break;
    case "short":
      out(printChanges(report, paint));
      break;
    case "markdown": {
      const { printMarkdown } = await import("../output/diff-markdown.ts");
      const { notes } = report;
      out(printMarkdown({ changes, notes, problems: problemLines(report) }, { sides, maxSize }));
      break;
    }
    default:
      out(
        await printAs(format, {
          isEmpty: false,
          json: () => encodeReport(report),
          table: () => "",
          names: () => changes.filter(isChange).map(({ id }) => id),
        }),
      );
  }
  if (format === "json" || format === "yaml" || typeof format !== "string") {
    return;
  }
  if (format !== "markdown") {
    err(lines([...report.problems.map(problemLine), ...report.notes]));
  }
  if (format === "diff" || format === "short") {
    err(`${printSummary(report)}\n`);
  }
}

/** In fluxd's comparison, the refusals are only with their objects. */
function problemLines({ problems, changes, revision }: ComparedReport): readonly string[] {
  const refused = revision === undefined ? [] : changes.filter(({ error }) => error !== "");
  const others = refused.map(({ id, source, error }) => ({
    file: source,
    line: undefined,
    message: `${id}: ${error}`,
  }));
  return [...problems, ...others].map(problemLine);
}

function problemLine({ file, line, message }: Problem): string {
  return place(file, line) + inOneLine(message);
}

function place(file: string, line: number | undefined): string {
  return file === "" ? "" : line === undefined ? `${file}: ` : `${file}:${line}: `;
}

function printSummary(report: ComparedReport): string {
  const { changes, revision, dir } = report;
  return revision === undefined ? `In ${dir}: ${printCounts(changes)}.` : summarize({ revision, changes });
}

function encodeReport(report: ComparedReport) {
  const { changes, problems, notes, revision } = report;
  const diff = encodeDiff({ changes, revision: revision ?? "" });
  return revision === undefined
    ? { ...diff, problems: problems.map(({ line = null, ...rest }) => ({ ...rest, line })), notes }
    : diff;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
