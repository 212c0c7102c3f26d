import { timestamp } from "../../api/api-context.ts";
import { type Condition, isCondition, setConditions, withFields } from "../../conditions.ts";
import type { Controller } from "../../controllers/controller.ts";
import { claim, type Owned, type OwnerTools, ownedBy, read } from "../../controllers/owned.ts";
import { ownedController } from "../../controllers/owned-controller.ts";
import { setCounts } from "../../controllers/status-counts.ts";
import { drop, ensureTree, numberAt, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import { isActive } from "../pod/pod-facts.ts";
import { podFromTemplate } from "../pod/pod-template.ts";
import {
  countJob,
  deadlineOf,
  endOf,
  indexLabel,
  isIndexed,
  isSuspended,
  type JobCounts,
  missingPods,
  printIndexes,
} from "./job-plan.ts";

/** Lets Jobs run to their end, and forgets them when their time is over. */
export function jobController(tools: OwnerTools): Controller {
  return ownedController(tools, { name: "job", bucket: "jobs.batch", owned: "pods", reconcile });
}

function reconcile(tools: OwnerTools, job: Owned): number | undefined {
  const { clock } = tools.writer.context;
  if (job.stored.deleting) {
    return undefined;
  }
  if (isOver(job.tree)) {
    return forget(tools, job);
  }
  const started = start(tools, job);
  const pods = claim(tools, started, "pods");
  const counts = countJob(started.tree, pods);
  const end = endOf(started.tree, counts, clock.now());
  if (end !== undefined || isSuspended(started.tree)) {
    pods.filter(isActive).forEach((pod) => tools.writer.delete(pod.stored));
  } else {
    missingPods(started.tree, counts).forEach((index) => makePod(tools, started.tree, index));
  }
  report(tools, started, end);
  const due = deadlineOf(started.tree);
  return due === undefined || end !== undefined ? undefined : Math.max(0, due - clock.now());
}

function start(tools: OwnerTools, job: Owned): Owned {
  const now = timestamp(tools.writer.context.clock);
  const isIdle = isSuspended(job.tree);
  const written = tools.writer.update(job.stored, "status", (tree) => {
    const status = ensureTree(tree, "status");
    if (isIdle) {
      drop(status, "startTime");
    } else {
      setDefault(status, "startTime", now);
    }
    if (isIdle || isCondition(status, "Suspended")) {
      const [word, reason] = isIdle
        ? (["True", "JobSuspended"] as const)
        : (["False", "JobResumed"] as const);
      const message = isIdle ? "Job suspended" : "Job resumed";
      const condition: Condition = { type: "Suspended", status: word, reason, message };
      setConditions(status, now, withFields([condition], { lastProbeTime: now }));
    }
  });
  return read(written);
}

function makePod(tools: OwnerTools, job: Tree, index: number): void {
  const pod = podFromTemplate(job, treeAt(job, "spec", "template") ?? {});
  if (isIndexed(job)) {
    const metadata = ensureTree(pod, "metadata");
    const name = `${stringAt(job, "metadata", "name")}-${index}`;
    metadata["generateName"] = `${name}-`;
    ensureTree(metadata, "labels")[indexLabel] = String(index);
    ensureTree(metadata, "annotations")[indexLabel] = String(index);
    setDefault(ensureTree(pod, "spec"), "hostname", name);
  }
  tools.writer.create(pod);
}

function report(tools: OwnerTools, job: Owned, end: ReturnType<typeof endOf>): void {
  const now = timestamp(tools.writer.context.clock);
  const pods = ownedBy(tools, job.stored.uid, "pods");
  const counts = countJob(job.tree, pods);
  tools.writer.update(job.stored, "status", (tree) => {
    const status = ensureTree(tree, "status");
    putCounts(status, tree, counts, pods.filter(({ stored }) => stored.deleting).length);
    if (end !== undefined) {
      setConditions(status, now, withFields(end, { lastProbeTime: now }));
      if (end.some(({ type }) => type === "Complete")) {
        status["completionTime"] = now;
      }
    }
  });
}

/** A job that is over may name how long it is to be kept. */
function forget(tools: OwnerTools, { stored, tree }: Owned): number | undefined {
  const seconds = numberAt(tree, "spec", "ttlSecondsAfterFinished");
  if (seconds === undefined) {
    return undefined;
  }
  const end = Date.parse(stringAt(tree, "status", "completionTime"));
  const left = (Number.isNaN(end) ? 0 : end + seconds * 1000) - tools.writer.context.clock.now();
  if (left > 0) {
    return left;
  }
  tools.writer.delete(stored);
  return undefined;
}

function isOver(job: Tree): boolean {
  const status = treeAt(job, "status");
  return isCondition(status, "Complete") || isCondition(status, "Failed");
}

function putCounts(status: Tree, job: Tree, counts: JobCounts, terminating: number): void {
  const { active, ready, succeeded, failed } = counts;
  setCounts(status, { active, ready, succeeded, failed, terminating }, ["ready", "terminating"]);
  status["uncountedTerminatedPods"] = {};
  if (isIndexed(job) && counts.done.length > 0) {
    status["completedIndexes"] = printIndexes(counts.done);
  }
}
