import type { JsonObject } from "@weir/base";
import {
  type Cause,
  encodeUpdateSpec,
  type PolicySet,
  type PolicyUpdate,
  parseTagPattern,
  type ResourceId,
  tagPolicyOf,
} from "@weir/flux";
import type { ReadOnlyReason, WorkloadStatusReport } from "@weir/flux/api";
import type { JobSpec, Plan } from "../contract/jobs.ts";
import type { ReachedDaemon } from "../daemons/ports.ts";
import { Problem } from "../problem/problem.ts";
import type { Planned } from "./planned.ts";
import { workloadsNamed } from "./touched.ts";

type PolicyChange = Extract<JobSpec, { kind: "policy" }>;

/** What a change of policies would do. */
export async function planPolicies(
  request: PolicyChange,
  daemon: ReachedDaemon,
  signal: AbortSignal,
): Promise<Planned> {
  const workloads = workloadsNamed(request.workloads);
  checkAsks(request);
  const listed = await daemon.api.listWorkloads({ namespace: "", workloads }, signal);
  return plannedPolicies(request, workloads, listed);
}

/** Decides what a change does to these workloads, as they're listed. */
export function plannedPolicies(
  request: PolicyChange,
  workloads: readonly ResourceId[],
  listed: readonly WorkloadStatusReport[],
): Planned {
  const bare = updateOf(request, { user: "", message: "" });
  const names = [...new Set([bare.add, bare.remove].flatMap((set) => Object.keys(set ?? {})))].toSorted();
  const judged = workloads.map((id) => {
    const workload = listed.find((each) => each.id === id);
    const before = Object.fromEntries(names.map((name) => [name, workload?.policies[name] ?? null]));
    return { before, change: changeOf(id, workload, { request, bare }) };
  });
  const failed = judged.find(({ change }) => change.status === "failed")?.change;
  const before: JsonObject = Object.fromEntries(judged.map((each) => [each.change.workload, each.before]));
  return {
    changes: judged.map(({ change }) => change),
    touches: workloads,
    substance: { policies: { before, add: { ...bare.add }, remove: { ...bare.remove } } },
    head: "",
    isKnown: true,
    obstacle:
      failed === undefined ? "" : `the policies of ${failed.workload} can't be changed: ${failed.message}`,
    toSpec: (cause) => {
      const update = updateOf(request, cause);
      return encodeUpdateSpec({ type: "policy", cause, spec: new Map(workloads.map((id) => [id, update])) });
    },
  };
}

function checkAsks({ automated, locked, ignored, tags = {} }: PolicyChange): void {
  if ([automated, locked, ignored].every((each) => each === undefined) && Object.keys(tags).length === 0) {
    throw new Problem("invalid", "No policy is changed.", {
      advice: "Say at least one of automated, locked, ignored, and tags.",
    });
  }
  const wrong = Object.entries(tags).find(([, filter]) => !parseTagPattern(filter).isValid);
  if (wrong !== undefined) {
    throw new Problem("invalid", `${JSON.stringify(wrong[1])} isn't a tag filter.`, {
      advice: "Write glob:, semver:, or regexp:, and then a pattern of that kind.",
      fields: { [`tags.${wrong[0]}`]: "isn't a tag filter" },
    });
  }
}

const set = "true";

/** The policies to add and to remove. A lock says who wanted it, and why. */
function updateOf(
  { automated, locked, ignored, tags = {} }: PolicyChange,
  { user, message }: Cause,
): PolicyUpdate {
  const by = user === "" ? {} : { locked_user: user, locked_msg: message };
  const filters = Object.entries(tags).map(([name, filter]) => [tagPolicyOf(name), filter.trim()] as const);
  return {
    add: {
      ...(automated === true ? { automated: set } : {}),
      ...(locked === true ? { locked: set, ...by } : {}),
      ...(ignored === true ? { ignore: set } : {}),
      ...Object.fromEntries(filters.filter(([, filter]) => !isEvery(filter))),
    },
    remove: {
      ...(automated === false ? { automated: set } : {}),
      ...(locked === false ? { locked: set, locked_user: set, locked_msg: set } : {}),
      ...(ignored === false ? { ignore: set } : {}),
      ...Object.fromEntries(filters.filter(([, filter]) => isEvery(filter)).map(([name]) => [name, set])),
    },
  };
}

/** A filter that allows every tag is the same as none. */
function isEvery(filter: string): boolean {
  return ["", "*", "glob:", "glob:*"].includes(filter);
}

function changeOf(
  id: ResourceId,
  workload: WorkloadStatusReport | undefined,
  { request, bare }: { readonly request: PolicyChange; readonly bare: PolicyUpdate },
): Plan["changes"][number] {
  const row = (status: string, message: string): Plan["changes"][number] => ({
    ...{ workload: id, status, message },
    containers: [],
  });
  if (workload === undefined) {
    return row("failed", "There's no such workload in the cluster.");
  }
  if (workload.readOnly !== "") {
    return row("failed", readOnlyReasons[workload.readOnly]);
  }
  const missing = Object.keys(request.tags ?? {}).find(
    (name) => !workload.containers.some((container) => container.name === name),
  );
  if (missing !== undefined) {
    return row("failed", `It has no container ${missing}.`);
  }
  const lines = describe(workload.policies, bare);
  return lines.length === 0
    ? row("skipped", "It has these policies already.")
    : row("success", lines.join("; "));
}

const readOnlyReasons: Readonly<Record<Exclude<ReadOnlyReason, "">, string>> = {
  NotInRepo: "It isn't in git.",
  System: "It belongs to the cluster itself.",
  NoRepo: "The daemon has no git repository.",
  NotReady: "The daemon hasn't read the git repository yet.",
  ReadOnlyMode: "The daemon doesn't write to git.",
};

/** Each policy that gets another value. */
function describe(before: PolicySet, { add, remove }: PolicyUpdate): readonly string[] {
  const print = (value: string | undefined): string => (value === undefined || value === "" ? "none" : value);
  const added = Object.entries(add ?? {}).filter(([name, value]) => before[name] !== value);
  const removed = Object.keys(remove ?? {}).filter((name) => before[name] !== undefined);
  return [
    ...added.map(([name, value]) => `${name}: ${print(before[name])} → ${value}`),
    ...removed.map((name) => `${name}: ${print(before[name])} → none`),
  ];
}
