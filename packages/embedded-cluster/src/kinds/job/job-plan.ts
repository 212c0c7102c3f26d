/** What a Job has and what it still needs: pure decisions. */

import type { Condition } from "../../conditions.ts";
import type { Owned } from "../../controllers/owned.ts";
import { isTrueAt, numberAt, stringAt, type Tree, treeAt } from "../../tree.ts";
import { isActive, isReady } from "../pod/pod-facts.ts";

/** The label and annotation that number the pods of an indexed job. */
export const indexLabel = "batch.kubernetes.io/job-completion-index";

/** The pods of a job, counted. */
export interface JobCounts {
  readonly active: number;
  readonly ready: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Of an indexed job, the numbers that are done. */
  readonly done: readonly number[];
  /** Of an indexed job, the numbers that are at it. */
  readonly busy: readonly number[];
}

/** Counts pods. What the status counted before stays counted: pods that are done may have been deleted since. */
export function countJob(job: Tree, pods: readonly Owned[]): JobCounts {
  const inPhase = (phase: string): number =>
    pods.filter(({ tree }) => stringAt(tree, "status", "phase") === phase).length;
  const active = pods.filter(isActive);
  const before = (field: string): number => numberAt(job, "status", field) ?? 0;
  const succeeded = pods.filter(({ tree }) => stringAt(tree, "status", "phase") === "Succeeded");
  const done = new Set([
    ...parseIndexes(stringAt(job, "status", "completedIndexes")),
    ...succeeded.flatMap(indexOf),
  ]);
  return {
    active: active.length,
    ready: active.filter(({ tree }) => isReady(tree)).length,
    succeeded: Math.max(before("succeeded"), isIndexed(job) ? done.size : inPhase("Succeeded")),
    failed: Math.max(before("failed"), inPhase("Failed")),
    done: [...done].sort((a, b) => a - b),
    busy: active.flatMap(indexOf),
  };
}

/** True where each pod of a job has a part of the work of its own. */
export function isIndexed(job: Tree): boolean {
  return stringAt(job, "spec", "completionMode") === "Indexed";
}

/** The indexes of the pods to make now; of jobs without indexes only their count matters. */
export function missingPods(job: Tree, counts: JobCounts): readonly number[] {
  const parallelism = numberAt(job, "spec", "parallelism") ?? 1;
  const completions = numberAt(job, "spec", "completions");
  // A job that counts no completions is a queue of work: once one pod is done, no new ones are made.
  const needed =
    completions === undefined
      ? counts.succeeded > 0
        ? counts.active
        : parallelism
      : completions - counts.succeeded;
  const room = Math.max(0, Math.min(parallelism, needed) - counts.active);
  if (!isIndexed(job)) {
    return Array.from({ length: room }, (_, index) => index);
  }
  const taken = new Set([...counts.done, ...counts.busy]);
  const free = Array.from({ length: completions ?? 0 }, (_, index) => index).filter(
    (index) => !taken.has(index),
  );
  return free.slice(0, room);
}

/** How a job has ended; undefined where it has not. */
export function endOf(job: Tree, counts: JobCounts, now: number): readonly Condition[] | undefined {
  const completions = numberAt(job, "spec", "completions");
  const isComplete =
    completions === undefined ? counts.succeeded > 0 && counts.active === 0 : counts.succeeded >= completions;
  if (isComplete) {
    const message = "Reached expected number of succeeded pods";
    return ["SuccessCriteriaMet", "Complete"].map((type) => ({
      type,
      status: "True",
      reason: "CompletionsReached",
      message,
    }));
  }
  const due = deadlineOf(job);
  const reason =
    counts.failed > (numberAt(job, "spec", "backoffLimit") ?? 6)
      ? { reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" }
      : due !== undefined && now >= due
        ? { reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" }
        : undefined;
  return reason === undefined
    ? undefined
    : ["FailureTarget", "Failed"].map((type) => ({ type, status: "True", ...reason }));
}

/** When a job is no longer given time; undefined where it has no deadline or has not begun. */
export function deadlineOf(job: Tree): number | undefined {
  const seconds = numberAt(job, "spec", "activeDeadlineSeconds");
  const start = Date.parse(stringAt(job, "status", "startTime"));
  return seconds === undefined || Number.isNaN(start) ? undefined : start + seconds * 1000;
}

/** True for a job that waits for its turn. */
export function isSuspended(job: Tree): boolean {
  return isTrueAt(job, "spec", "suspend");
}

function indexOf({ tree }: Owned): readonly number[] {
  const text = stringAt(treeAt(tree, "metadata", "annotations"), indexLabel);
  return /^\d+$/.test(text) ? [Number(text)] : [];
}

/** The numbers in a text such as "1,3-5,7". */
export function parseIndexes(text: string): readonly number[] {
  return text.split(",").flatMap((part) => {
    const [first, last = first] = part.split("-");
    if (first === undefined || first === "") {
      return [];
    }
    const from = Number(first);
    return Array.from({ length: Number(last) - from + 1 }, (_, index) => from + index);
  });
}

/** Numbers in order as such a text. */
export function printIndexes(numbers: readonly number[]): string {
  const runs: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && number === run.last + 1) {
      run.last = number;
    } else {
      runs.push({ first: number, last: number });
    }
  }
  return runs.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(",");
}
