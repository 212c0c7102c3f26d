import { printHumanDuration } from "@weir/base";
import type { Condition, ResourceId } from "@weir/flux";
import { describeSuspensions, printMoment, type StatusReport } from "@weir/flux/api";
import type { Paint } from "./paint.ts";

/** In characters; `--full` shows all of it. */
const longestProblem = 300;

/** What is wrong, worst first, each as the start of a sentence; empty if all is well or on its way. */
export function problemsIn(report: StatusReport): readonly string[] {
  const { git, suspensions, resources, findings, unknown } = report;
  const degraded = resources?.degraded[0];
  return [
    ...(git.status === "ready" ? [] : [gitProblem(git)]),
    ...describeSuspensions(suspensions),
    ...syncProblems(report),
    ...(degraded === undefined ? [] : [`degraded: ${printCondition(degraded)}`]),
    ...findings.filter(({ verdict }) => verdict === "failed").map(({ found }) => found),
    ...unknown,
  ];
}

/** One line: what is wrong, then how far fluxd is. `now` is in milliseconds. */
export function printStatusLine(report: StatusReport, now: number, paint: Paint): string {
  const problems = problemsIn(report).map((problem) => paint.bad(shorten(problem)));
  const rest = report.git.status === "ready" ? [progressOf(report, now)] : [];
  return `${[...problems, ...rest].join("; ")}\n`;
}

/** Everything, one topic per line, with lists below. */
export function printFullStatus(report: StatusReport, now: number, paint: Paint): string {
  const { git, head, synced, behind, lastSync, automates, suspensions, resources, pending } = report;
  const state = git.status === "ready" ? "ready" : paint.bad(gitProblem(git));
  const rows: readonly (readonly [topic: string, text: string, items?: readonly string[]])[] = [
    ["Git", `${git.branch} of ${git.url}: ${state}`],
    ["Head", head || "not known"],
    ["Synced", `${synced || "nothing yet"}${behind === 0 ? "" : `, ${count(behind, "commit")} behind`}`],
    ["Last sync", lastSyncText(report, now), lastSync.errors.map(({ id, error }) => `${id}: ${error}`)],
    ["Waiting for", lastSync.waitingFor.length === 0 ? "nothing" : "", lastSync.waitingFor],
    ["Automation", automates ? "on" : "off: this fluxd never looks for newer images"],
    ["Suspended", suspensions.length === 0 ? "nothing" : "", describeSuspensions(suspensions)],
    ["Resources", resources === undefined ? "not known" : countsOf(report), conditionsOf(report)],
    ...deletionRows(pending),
    ["Problems", report.findings.length === 0 ? "none" : "", report.findings.map(({ found }) => found)],
    ...(report.unknown.length === 0 ? [] : [["Not known", "", report.unknown] as const]),
  ];
  return rows.map((row) => printRow(row, paint)).join("");
}

function printRow(
  [topic, text, items = []]: readonly [string, string, (readonly string[])?],
  paint: Paint,
): string {
  const line = `${paint.heading(`${topic}:`)}${text === "" ? "" : ` ${text}`}\n`;
  return line + items.map((item) => `  ${item.trim().replaceAll(/\s*\n\s*/g, "; ")}\n`).join("");
}

function gitProblem({ status, url, errors }: StatusReport["git"]): string {
  const words: Readonly<Record<StatusReport["git"]["status"], string>> = {
    ready: `git is ready`,
    unconfigured: "no git repository is configured",
    new: `git is not cloned yet: ${url}`,
    cloned: `git is not writable, or lacks the branch: ${url}`,
    unreachable: `git is not reachable: ${url}`,
  };
  return `${words[status]}${errors === "" ? "" : `: ${errors.trim()}`}`;
}

/** The failure of the last sync, or the resources that it couldn't apply. */
function syncProblems({ lastSync }: StatusReport): readonly string[] {
  const { failure, errors } = lastSync;
  const first = errors[0];
  if (failure !== "") {
    return [`the last sync failed: ${failure}${first === undefined ? "" : ` ${first.id}: ${first.error}`}`];
  }
  return first === undefined
    ? []
    : [`${count(errors.length, "resource")} could not be applied: ${first.id}: ${first.error}`];
}

function progressOf(report: StatusReport, now: number): string {
  const { synced, behind, lastSync, pending } = report;
  const at = synced.slice(0, 7);
  const ago = lastSync.endedAt === undefined ? "" : ` (${age(lastSync.endedAt, now)})`;
  const sync =
    synced === ""
      ? "nothing was synced yet"
      : behind > 0
        ? `${count(behind, "commit")} behind, at ${at}`
        : lastSync.failure === "" && lastSync.errors.length === 0
          ? `in sync at ${at}${ago}`
          : `at ${at}`;
  const waiting = lastSync.waitingFor[0];
  const deletions = (pending?.unconfirmed.length ?? 0) + (pending?.heldBack.length ?? 0);
  return [
    sync,
    ...(waiting === undefined ? [] : [`waiting for ${waiting}${andMore(lastSync.waitingFor)}`]),
    ...(report.resources === undefined ? [] : [countsOf(report)]),
    ...(deletions === 0 ? [] : [`${count(deletions, "deletion")} to confirm`]),
  ].join(", ");
}

function countsOf({ resources }: StatusReport): string {
  const { healthy = 0, degraded = [], pending = [] } = resources ?? {};
  return `${count(healthy, "resource")} healthy, ${degraded.length} degraded, ${pending.length} pending`;
}

function conditionsOf({ resources }: StatusReport): readonly string[] {
  const { degraded = [], pending = [] } = resources ?? {};
  return [
    ...degraded.map((each) => `degraded: ${printCondition(each)}`),
    ...pending.map((each) => `pending: ${printCondition(each)}`),
  ];
}

/** A resource and its problem, with the object that has it. */
export function printCondition({ id, culprit, message }: Omit<Condition, "is">): string {
  return culprit === id ? `${id}: ${message}` : `${id}: ${culprit}: ${message}`;
}

function deletionRows(
  pending: StatusReport["pending"],
): readonly (readonly [string, string, readonly string[]])[] {
  if (pending === undefined || pending.unconfirmed.length + pending.heldBack.length === 0) {
    return [["Deletions to confirm", "none", []]];
  }
  return [["Deletions to confirm", "see `fluxctl confirm`", [...pending.unconfirmed, ...pending.heldBack]]];
}

function lastSyncText({ lastSync }: StatusReport, now: number): string {
  const { endedAt, revision, failure, errors, isRunning } = lastSync;
  const running = isRunning ? "; another one is running" : "";
  if (endedAt === undefined) {
    return isRunning ? "none has ended; one is running" : "none since fluxd started";
  }
  const how =
    failure === ""
      ? errors.length === 0
        ? "succeeded"
        : `could not apply ${count(errors.length, "resource")}`
      : `failed: ${failure}`;
  return `${printMoment(endedAt)} (${age(endedAt, now)}) to ${revision.slice(0, 7)}, ${how}${running}`;
}

function age(moment: Date, now: number): string {
  return `${printHumanDuration(Math.max(0, now - moment.getTime()))} ago`;
}

function andMore(ids: readonly ResourceId[]): string {
  return ids.length > 1 ? ` and ${ids.length - 1} more` : "";
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, "; ");
  return line.length > longestProblem ? `${line.slice(0, longestProblem)} ...` : line;
}
