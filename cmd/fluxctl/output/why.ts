import {
  containerOfTagPolicy,
  type FieldDifference,
  type FieldWriter,
  hasPolicy,
  type PolicySet,
} from "@weir/flux";
import type {
  CommitAnswer,
  ImageAnswer,
  ResourceAnswer,
  WhyCause,
  WhyCommit,
  WhyContainer,
  WhyLive,
  WhyManifest,
  WhyRemedy,
  WhyReport,
  WhySync,
} from "@weir/flux/api";
import { type Paint, paintHealth } from "./paint.ts";
import { printLines } from "./table.ts";

/** How to print an answer. */
export interface WhyLook {
  /** Values and hashes in full. */
  readonly wide: boolean;
  readonly paint: Paint;
}

/** How much of a value fits beside others. */
const shownValue = 60;

/** Prints an answer in the order in which people ask: the verdict first, and what to do at the end. */
export function printWhy(report: WhyReport, look: WhyLook): string {
  const { causes, verdict } = report;
  const all = report.kind === "image" ? [...causes, ...report.uses.flatMap((use) => use.causes)] : causes;
  const isGood = all.length === 0 && report.kind !== "unknown";
  return [
    `${(isGood ? look.paint.good : look.paint.pending)(verdict)}\n`,
    ...sectionsOf(report, look),
    section(
      "Held up by",
      causes.map(({ message }) => message),
      look,
    ),
    section("What to do", remediesOf(all), look),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function sectionsOf(report: WhyReport, look: WhyLook): readonly string[] {
  switch (report.kind) {
    case "resource":
      return resourceSections(report, look);
    case "image":
      return imageSections(report, look);
    case "commit":
      return commitSections(report, look);
    case "unknown":
      return [];
  }
}

function resourceSections(
  { git, live, differences, sync }: ResourceAnswer,
  look: WhyLook,
): readonly string[] {
  return [
    section("In git", git === undefined ? ["no"] : manifestLines(git, look), look),
    section("Live", live === undefined ? ["no"] : liveLines(live, look), look),
    section(
      "Differs from git in",
      differences.map((each) => differenceLine(each, look)),
      look,
    ),
    section("Synced", syncLines(sync, look), look),
  ];
}

function imageSections({ scan, uses }: ImageAnswer, look: WhyLook): readonly string[] {
  const scans = {
    scanned: `${scan.tags} tags`,
    waiting: "not yet",
    stale: `${scan.tags} tags, but the last scan failed: ${scan.error}`,
    failed: `failed: ${scan.error}`,
    off: "no: fluxd does not scan images",
  };
  const lines = uses.flatMap(({ workload, container, image, filter, outcome, causes }) => [
    [workload, container, image, filter, paintUse(outcome, look.paint)].join("\t"),
    ...causes.map(({ message }) => `  ${message}`),
  ]);
  return [
    section("Scanned", [scans[scan.state]], look),
    section("Used by", lines.length === 0 ? ["no workload"] : lines, look),
  ];
}

function paintUse(outcome: ImageAnswer["uses"][number]["outcome"], paint: Paint): string {
  return outcome === "stays" ? paint.pending(outcome) : paint.good(outcome);
}

function commitSections(answer: CommitAnswer, look: WhyLook): readonly string[] {
  const { commit, sync, isSynced, verified, changes, problem } = answer;
  const changed =
    problem === ""
      ? changes.map(({ change, id, source, error }) => [change, id, source, error].join("\t").trimEnd())
      : [`not known: ${problem}`];
  return [
    section("Commit", commitLines(commit, look), look),
    section("Changed", changed.length === 0 ? ["no resource"] : changed, look),
    section("Verified", [verified], look),
    section("Synced", [isSynced ? "yes" : "no", ...syncLines(sync, look)], look),
  ];
}

function manifestLines(git: WhyManifest, look: WhyLook): readonly string[] {
  const { source, line, lastLine, containers, policies, commit } = git;
  const place = line === 0 ? source : `${source}:${line}${lastLine > line ? `-${lastLine}` : ""}`;
  return [
    place,
    ...containerLines(containers),
    ...policyLines(policies),
    ...(commit === undefined
      ? []
      : commitLines(commit, look).map((each, index) => (index === 0 ? `last changed in ${each}` : each))),
  ];
}

function commitLines(
  { revision, author, date, message, madeBy }: WhyCommit,
  look: WhyLook,
): readonly string[] {
  const { wide } = look;
  const [title = "", ...body] = message.split("\n");
  const lines = [
    `${hash(revision, look)} by ${author} at ${printTime(date)}: ${title}`,
    ...(wide ? body.filter((line) => line !== "").map((line) => `  ${line}`) : []),
  ];
  if (madeBy === undefined) {
    return lines;
  }
  const { kind, user, message: reason } = madeBy;
  const who = user === "" ? "" : ` by ${user}`;
  return [...lines, `made by fluxd: ${kind}${who}${reason === "" ? "" : ` (${reason})`}`];
}

function liveLines(live: WhyLive, look: WhyLook): readonly string[] {
  const { apiVersion, health, healthMessage, owner, containers, replicas, writers } = live;
  const state = [
    health === "" ? apiVersion : `${paintHealth(look.paint, health)} (${apiVersion})`,
    ...(replicas === undefined
      ? []
      : [`${replicas.ready} of ${replicas.desired} ready, ${replicas.updated} updated`]),
    ...(healthMessage === "" ? [] : [healthMessage]),
  ];
  const shown = look.wide ? writers : writers.slice(0, 2);
  const more = writers.length - shown.length;
  const last = [...shown.map(printWriter), ...(more > 0 ? [`${more} more`] : [])];
  return [
    state.join(", "),
    ...containerLines(containers),
    ...(owner === "" ? [] : [`owned by ${owner}`]),
    ...(last.length === 0 ? [] : [`written by ${last.join(", ")}`]),
  ];
}

function containerLines(containers: readonly WhyContainer[]): readonly string[] {
  return containers.map(({ name, image }) => `container ${name}\t${image}`);
}

function policyLines(policies: PolicySet): readonly string[] {
  const { locked_user: by = "", locked_msg: reason = "" } = policies;
  const lock = `locked${by === "" ? "" : ` by ${by}`}${reason === "" ? "" : ` (${reason})`}`;
  const words = [
    ...(hasPolicy(policies, "automated") ? ["automated"] : []),
    ...(hasPolicy(policies, "locked") ? [lock] : []),
    ...(hasPolicy(policies, "ignore") ? ["ignored"] : []),
    ...Object.entries(policies).flatMap(([policy, value]) => {
      const container = containerOfTagPolicy(policy);
      return container === undefined ? [] : [`tag filter of ${container} ${value}`];
    }),
  ];
  return words.length === 0 ? [] : [words.join(", ")];
}

function differenceLine({ path, git, live, isHidden, writer }: FieldDifference, look: WhyLook): string {
  const value = (text: string): string =>
    isHidden ? "(hidden)" : text === "" ? "(none)" : shorten(text, look);
  const by = writer === undefined ? "" : `live value by ${printWriter(writer)}`;
  return `${path}\tgit ${value(git)}\tlive ${value(live)}\t${by}`.trimEnd();
}

function printWriter({ manager, operation, subresource, time }: FieldWriter): string {
  const of = subresource === "" ? "" : ` of ${subresource}`;
  return `${manager} (${operation}${of}${time === "" ? "" : `, ${printTime(time)}`})`;
}

function syncLines({ head, synced, state, at, waitingFor }: WhySync, look: WhyLook): readonly string[] {
  const last =
    synced === "" ? "nothing yet" : `${hash(synced, look)}${at === "" ? "" : `, last at ${printTime(at)}`}`;
  switch (state) {
    case "synced":
      return [last];
    case "waiting":
      return [`${last}; the sync to ${hash(head, look)} waits for ${waitingFor.join(", ")}`];
    case "failing":
      return [`${last}; the sync${head === "" ? "" : ` to ${hash(head, look)}`} fails`];
    case "pending":
    case "never":
      return [head === "" ? last : `${last}; the sync to ${hash(head, look)} is pending`];
  }
}

/** Each remedy once; commands are aligned, so that they can be copied. */
function remediesOf(causes: readonly WhyCause[]): readonly string[] {
  const remedies = new Map<string, WhyRemedy>();
  for (const remedy of causes.flatMap((each) => each.remedies)) {
    const key = remedy.command === "" ? remedy.text : remedy.command;
    remedies.set(key, remedies.get(key) ?? remedy);
  }
  return [...remedies.values()].map(({ text, command }) =>
    command === "" ? `(${text})` : text === "" ? command : `${command}\t# ${text}`,
  );
}

function section(title: string, lines: readonly string[], { paint }: WhyLook): string {
  return lines.length === 0 ? "" : `${paint.heading(title)}\n${printLines(lines.map((line) => `  ${line}`))}`;
}

function hash(revision: string, { wide }: WhyLook): string {
  return wide ? revision : revision.slice(0, 12);
}

function shorten(text: string, { wide }: WhyLook): string {
  return wide || text.length <= shownValue ? text : `${text.slice(0, shownValue)}...`;
}

/** Every time in UTC, so that they can be compared. */
function printTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
