import { compareGoStrings } from "@weir/base";
import { booleanPolicies, hasPolicy, type PolicySet, printImageRef } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { type Paint, paintStatus } from "./paint.ts";
import { printLines, type TableLook } from "./table.ts";

/** The policies that the table shows, in order. */
const shownPolicies = ["automated", "ignore", "locked"];

const columns = ["WORKLOAD", "CONTAINER", "IMAGE", "RELEASE", "POLICY"];
const wideColumns = [
  "WORKLOAD",
  "CONTAINER",
  "IMAGE",
  "RELEASE",
  "REPLICAS",
  "POLICY",
  "READ-ONLY",
  "MESSAGE",
  "LABELS",
];

/** Prints the table of list-workloads: a line for each container. A wide table also explains each status. */
export function printWorkloads(workloads: readonly WorkloadStatusReport[], look: TableLook): string {
  const names = (look.wide ? wideColumns : columns).map(look.paint.heading);
  const heading = look.headers ? [names.join("\t")] : [];
  return printLines([...heading, ...workloads.flatMap((workload) => linesOf(workload, look))]);
}

function linesOf(workload: WorkloadStatusReport, { wide, paint }: TableLook): readonly string[] {
  const { id, containers, status } = workload;
  const state = [paintStatus(paint, status), ...(wide ? wideCells(workload, paint) : narrowCells(workload))];
  const [first, ...others] = containers.map(({ name, image }) => `${name}\t${printImageRef(image)}`);
  const blank = "\t".repeat(state.length);
  return [`${id}\t${first ?? "\t"}\t${state.join("\t")}`, ...others.map((cells) => `\t${cells}${blank}`)];
}

function narrowCells({ policies }: WorkloadStatusReport): readonly string[] {
  return [shownPolicies.filter((policy) => hasPolicy(policies, policy)).join(",")];
}

function wideCells(
  { rollout, policies, readOnly, labels, syncError }: WorkloadStatusReport,
  paint: Paint,
): readonly string[] {
  const { updated, desired, ready, messages } = rollout;
  const trouble = [syncError, ...(messages ?? [])].filter((message) => message !== "");
  return [
    `${updated}/${desired} (${ready} ready)`,
    printPolicies(policies),
    readOnly,
    paint.bad(onOneLine(trouble.join("; "))),
    printLabels(labels ?? {}),
  ];
}

/** Policies with their values, unless the value only says that the policy is set. */
function printPolicies(policies: PolicySet): string {
  return sortedEntries(policies)
    .filter(([policy]) => hasPolicy(policies, policy))
    .map(([policy, value]) => (booleanPolicies.includes(policy) ? policy : `${policy}=${value}`))
    .map(onOneLine)
    .join(",");
}

/** Set by sync for its own use; long, and meaningless for people. */
const garbageCollectionMark = "fluxcd.io/sync-gc-mark";

function printLabels(labels: Readonly<Record<string, string>>): string {
  return sortedEntries(labels)
    .filter(([key]) => key !== garbageCollectionMark)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

function sortedEntries(record: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(record).toSorted(([a], [b]) => compareGoStrings(a, b));
}

/** Text from other programs can contain line breaks and tabs, which would end the cell. */
function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
