import type { ComparisonOutcome, TakeoverReport } from "../../../src/switching/takeover/report.ts";
import { isChange, printChanges, printDiff } from "./diff.ts";
import { type FindingsStyle, printFindings } from "./findings.ts";
import { printLines } from "./table.ts";

/** How to print a report. */
export interface TakeoverStyle extends FindingsStyle {
  /** Print changes as patches instead of one line each. */
  readonly patches: boolean;
}

/** Prints a report for people: what's running, the findings, what would change, and the commands. */
export function printTakeover(report: TakeoverReport, style: TakeoverStyle): string {
  const { paint } = style;
  const { findings, comparison, commands } = report;
  return [
    printPod(report),
    printFindings(findings, style),
    printComparison(comparison, style),
    `${paint.heading("To switch to Weir:")}\n${indented(commands.switch)}`,
    `${paint.heading("To roll back:")}\n${indented(commands.rollBack)}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function printPod({ pod, git }: TakeoverReport): string {
  const paths = git.paths.length === 0 ? "" : `, paths ${git.paths.join(", ")}`;
  return printLines([
    `Deployment:\t${pod.namespace}/${pod.deployment}, container ${pod.container}`,
    `Image:\t${pod.image}`,
    `Git:\t${git.url === "" ? "none" : `${git.url}, branch ${git.branch}${paths}`}`,
    `Service account:\t${pod.serviceAccount}`,
    `Secrets:\t${pod.secrets.join(", ") || "none"}`,
  ]);
}

function printComparison(outcome: ComparisonOutcome, { paint, patches }: TakeoverStyle): string {
  if (outcome.kind !== "compared") {
    const what = outcome.kind === "failed" ? paint.bad("Not compared with git:") : "Not compared with git:";
    const advice = outcome.advice === "" ? "" : indented([`What to do: ${outcome.advice}`]);
    return `${what} ${outcome.reason}\n${advice}`;
  }
  const { source, revision, objects, changes } = outcome;
  const count = changes.filter(isChange).length;
  const summary = `${grouped(count)} of ${grouped(objects)} objects would change at commit ${revision.slice(0, 7)} of ${source}.\n`;
  const report = { revision, changes };
  const shown = patches ? printDiff(report, paint) : printChanges(report, paint);
  return `${count === 0 ? paint.good(summary) : paint.pending(summary)}${shown}`;
}

/** E.g. "1,243". */
function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line.replaceAll("\n", "\n  ")}\n`).join("");
}
