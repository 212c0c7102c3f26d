import { isCondition } from "../../conditions.ts";
import type { Controller } from "../../controllers/controller.ts";
import { controllerReference, type Owned, type OwnerTools, ownedBy } from "../../controllers/owned.ts";
import { ownedController } from "../../controllers/owned-controller.ts";
import { cloneNode, drop, ensureTree, isTrueAt, numberAt, stringAt, type Tree, treeAt } from "../../tree.ts";
import { parseSchedule, zoned } from "./cron.ts";

/** Times that were missed longer ago than this many are not looked for one by one. */
const mostMissed = 100;

/** Makes the Jobs of CronJobs when they are due. */
export function cronJobController(tools: OwnerTools): Controller {
  return ownedController(tools, {
    name: "cron-job",
    bucket: "cronjobs.batch",
    owned: "jobs.batch",
    reconcile,
  });
}

function reconcile(tools: OwnerTools, cron: Owned): number | undefined {
  const { clock } = tools.writer.context;
  if (cron.stored.deleting) {
    return undefined;
  }
  trim(tools, cron);
  const times = dueTimes(cron.tree, clock.now());
  if (times.last !== undefined && !isTrueAt(cron.tree, "spec", "suspend")) {
    run(tools, cron, times.last);
  }
  report(tools, cron.stored.uid);
  return times.next === undefined ? undefined : Math.max(0, times.next - clock.now());
}

/** Makes the job of a time, as the policy lets it. */
function run(tools: OwnerTools, cron: Owned, time: number): void {
  const active = ownedBy(tools, cron.stored.uid, "jobs.batch").filter(isGoingOn);
  const policy = stringAt(cron.tree, "spec", "concurrencyPolicy");
  if (policy === "Forbid" && active.length > 0) {
    return;
  }
  if (policy === "Replace") {
    active.forEach(({ stored }) => tools.writer.delete(stored));
  }
  tools.writer.create(jobFor(cron.tree, time));
  tools.writer.update(cron.stored, "status", (tree) => {
    ensureTree(tree, "status")["lastScheduleTime"] = printTime(time);
  });
}

function report(tools: OwnerTools, uid: string): void {
  const stored = tools.index.get(uid);
  if (stored === undefined) {
    return;
  }
  const jobs = ownedBy(tools, uid, "jobs.batch");
  const active = jobs.filter(isGoingOn).map(({ tree }) => referenceTo(tree));
  const ends = jobs.map(({ tree }) => stringAt(tree, "status", "completionTime")).sort();
  tools.writer.update(stored, "status", (tree) => {
    const status = ensureTree(tree, "status");
    const last = [stringAt(status, "lastSuccessfulTime"), ends.at(-1) ?? ""].sort().at(-1);
    if (active.length === 0) {
      drop(status, "active");
    } else {
      status["active"] = active;
    }
    if (last !== undefined && last !== "") {
      status["lastSuccessfulTime"] = last;
    }
  });
}

/** Keeps as many ended jobs as the limits say, the latest ones. */
function trim(tools: OwnerTools, { stored, tree }: Owned): void {
  const jobs = ownedBy(tools, stored.uid, "jobs.batch");
  for (const [condition, field] of [
    ["Complete", "successfulJobsHistoryLimit"],
    ["Failed", "failedJobsHistoryLimit"],
  ] as const) {
    const ended = jobs
      .filter((job) => isCondition(treeAt(job.tree, "status"), condition) && !job.stored.deleting)
      .sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
    const limit = numberAt(tree, "spec", field) ?? ended.length;
    ended.slice(0, Math.max(0, ended.length - limit)).forEach((job) => tools.writer.delete(job.stored));
  }
}

/** The last time that is due and was not seen to, and the next one. */
function dueTimes(cron: Tree, now: number) {
  const parsed = parseSchedule(stringAt(cron, "spec", "schedule"));
  if ("fault" in parsed) {
    return { last: undefined, next: undefined };
  }
  const schedule = zoned(parsed, stringAt(cron, "spec", "timeZone") || "UTC");
  const seen =
    stringAt(cron, "status", "lastScheduleTime") || stringAt(cron, "metadata", "creationTimestamp");
  const patience = numberAt(cron, "spec", "startingDeadlineSeconds");
  const from = Math.max(Date.parse(seen), patience === undefined ? 0 : now - patience * 1000);
  let last: number | undefined;
  let next = schedule.next(from);
  for (let count = 0; next !== undefined && next <= now; count++) {
    last = next;
    // After a long sleep nobody counts what was missed: the latest time is looked for from nearby.
    next = schedule.next(count < mostMissed ? next : Math.max(next, now - 24 * 3_600_000));
  }
  return { last, next };
}

function jobFor(cron: Tree, time: number): Tree {
  const template = cloneNode<Tree>(treeAt(cron, "spec", "jobTemplate") ?? {});
  const { labels, annotations } = treeAt(template, "metadata") ?? {};
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: `${stringAt(cron, "metadata", "name")}-${Math.floor(time / 60_000)}`,
      namespace: stringAt(cron, "metadata", "namespace"),
      labels: labels ?? {},
      annotations: {
        ...treeAt(annotations),
        "batch.kubernetes.io/cronjob-scheduled-timestamp": printTime(time),
      },
      ownerReferences: [controllerReference(cron)],
    },
    spec: treeAt(template, "spec") ?? {},
  };
}

function isGoingOn({ stored, tree }: Owned): boolean {
  const status = treeAt(tree, "status");
  return !stored.deleting && !isCondition(status, "Complete") && !isCondition(status, "Failed");
}

function startOf({ tree }: Owned): string {
  return stringAt(tree, "status", "startTime");
}

function referenceTo(job: Tree): Tree {
  const { name, namespace, uid, resourceVersion } = treeAt(job, "metadata") ?? {};
  return { apiVersion: "batch/v1", kind: "Job", name, namespace, uid, resourceVersion };
}

function printTime(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}
