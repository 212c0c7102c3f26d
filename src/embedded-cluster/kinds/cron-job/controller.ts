import { isCondition } from "../../conditions.ts";
import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import { type Controller, partsOfKey } from "../../controllers/controller.ts";
import { concernedOwners, controllerReference, type Owned, read } from "../../controllers/owned.ts";
import type { OwnerIndex } from "../../controllers/owner-index.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { cloneNode, drop, ensureTree, isTrueAt, numberAt, stringAt, type Tree, treeAt } from "../../tree.ts";
import { parseSchedule, zoned } from "./cron.ts";

const bucket = "cronjobs.batch";

/** Times that were missed longer ago than this many are not looked for one by one. */
const mostMissed = 100;

/** Makes the Jobs of CronJobs when they are due. */
export class CronJobController implements Controller {
  readonly name = "cron-job";
  readonly #writer: ClusterWriter;
  readonly #index: OwnerIndex;

  constructor(writer: ClusterWriter, index: OwnerIndex) {
    this.#writer = writer;
    this.#index = index;
  }

  keysOf(event: StoreEvent): readonly string[] {
    return concernedOwners(event, { bucket, owned: "jobs.batch" }, this.#index);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOfKey(key);
    const { store, clock } = this.#writer.context;
    const stored = store.get(bucket, namespace, name);
    if (stored === undefined || stored.deleting) {
      return undefined;
    }
    const cron = read(stored);
    this.#trim(cron);
    const times = dueTimes(cron.tree, clock.now());
    if (times.last !== undefined && !isTrueAt(cron.tree, "spec", "suspend")) {
      this.#run(cron, times.last);
    }
    this.#report(stored.uid);
    return times.next === undefined ? undefined : Math.max(0, times.next - clock.now());
  }

  #jobsOf(uid: string): readonly Owned[] {
    return this.#index
      .dependentsOf(uid)
      .filter((one) => one.bucket === "jobs.batch")
      .map(read);
  }

  /** Makes the job of a time, as the policy lets it. */
  #run(cron: Owned, time: number): void {
    const active = this.#jobsOf(cron.stored.uid).filter(isGoingOn);
    const policy = stringAt(cron.tree, "spec", "concurrencyPolicy");
    if (policy === "Forbid" && active.length > 0) {
      return;
    }
    if (policy === "Replace") {
      active.forEach(({ stored }) => this.#writer.delete(stored));
    }
    this.#writer.create(jobFor(cron.tree, time));
    this.#writer.update(cron.stored, "status", (tree) => {
      ensureTree(tree, "status")["lastScheduleTime"] = printTime(time);
    });
  }

  #report(uid: string): void {
    const stored = this.#index.get(uid);
    if (stored === undefined) {
      return;
    }
    const jobs = this.#jobsOf(uid);
    const active = jobs.filter(isGoingOn).map(({ tree }) => referenceTo(tree));
    const ends = jobs.map(({ tree }) => stringAt(tree, "status", "completionTime")).sort();
    this.#writer.update(stored, "status", (tree) => {
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
  #trim({ stored, tree }: Owned): void {
    const jobs = this.#jobsOf(stored.uid);
    for (const [condition, field] of [
      ["Complete", "successfulJobsHistoryLimit"],
      ["Failed", "failedJobsHistoryLimit"],
    ] as const) {
      const ended = jobs
        .filter((job) => isCondition(treeAt(job.tree, "status"), condition) && !job.stored.deleting)
        .sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
      const limit = numberAt(tree, "spec", field) ?? ended.length;
      ended.slice(0, Math.max(0, ended.length - limit)).forEach((job) => this.#writer.delete(job.stored));
    }
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
