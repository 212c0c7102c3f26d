import { timestamp } from "../../api/api-context.ts";
import { isCondition, setConditions } from "../../conditions.ts";
import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import { type Controller, partsOfKey } from "../../controllers/controller.ts";
import { claim, concernedOwners, type Owned, read } from "../../controllers/owned.ts";
import type { OwnerIndex } from "../../controllers/owner-index.ts";
import { setCounts } from "../../controllers/status-counts.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
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

const bucket = "jobs.batch";

/** Lets Jobs run to their end, and forgets them when their time is over. */
export class JobController implements Controller {
  readonly name = "job";
  readonly #writer: ClusterWriter;
  readonly #index: OwnerIndex;

  constructor(writer: ClusterWriter, index: OwnerIndex) {
    this.#writer = writer;
    this.#index = index;
  }

  keysOf(event: StoreEvent): readonly string[] {
    return concernedOwners(event, { bucket, owned: "pods" }, this.#index);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOfKey(key);
    const { store, clock } = this.#writer.context;
    const stored = store.get(bucket, namespace, name);
    if (stored === undefined || stored.deleting) {
      return undefined;
    }
    const job = read(stored);
    if (isOver(job.tree)) {
      return this.#forget(job);
    }
    const started = this.#start(job);
    const pods = claim(this.#writer, this.#index, started, "pods");
    const counts = countJob(started.tree, pods);
    const end = endOf(started.tree, counts, clock.now());
    if (end !== undefined || isSuspended(started.tree)) {
      pods.filter(isActive).forEach((pod) => this.#writer.delete(pod.stored));
    } else {
      missingPods(started.tree, counts).forEach((index) => this.#makePod(started.tree, index));
    }
    this.#report(started, end);
    const due = deadlineOf(started.tree);
    return due === undefined || end !== undefined ? undefined : Math.max(0, due - clock.now());
  }

  #start(job: Owned): Owned {
    const now = timestamp(this.#writer.context.clock);
    const isIdle = isSuspended(job.tree);
    const written = this.#writer.update(job.stored, "status", (tree) => {
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
        setConditions(status, now, [{ type: "Suspended", status: word, reason, message }], {
          lastProbeTime: now,
        });
      }
    });
    return read(written);
  }

  #makePod(job: Tree, index: number): void {
    const pod = podFromTemplate(job, treeAt(job, "spec", "template") ?? {});
    if (isIndexed(job)) {
      const metadata = ensureTree(pod, "metadata");
      const name = `${stringAt(job, "metadata", "name")}-${index}`;
      metadata["generateName"] = `${name}-`;
      ensureTree(metadata, "labels")[indexLabel] = String(index);
      ensureTree(metadata, "annotations")[indexLabel] = String(index);
      setDefault(ensureTree(pod, "spec"), "hostname", name);
    }
    this.#writer.create(pod);
  }

  #report(job: Owned, end: ReturnType<typeof endOf>): void {
    const now = timestamp(this.#writer.context.clock);
    const pods = this.#index
      .dependentsOf(job.stored.uid)
      .filter((one) => one.bucket === "pods")
      .map(read);
    const counts = countJob(job.tree, pods);
    this.#writer.update(job.stored, "status", (tree) => {
      const status = ensureTree(tree, "status");
      putCounts(status, tree, counts, pods.filter(({ stored }) => stored.deleting).length);
      if (end !== undefined) {
        setConditions(status, now, end, { lastProbeTime: now });
        if (end.some(({ type }) => type === "Complete")) {
          status["completionTime"] = now;
        }
      }
    });
  }

  /** A job that is over may name how long it is to be kept. */
  #forget({ stored, tree }: Owned): number | undefined {
    const seconds = numberAt(tree, "spec", "ttlSecondsAfterFinished");
    if (seconds === undefined) {
      return undefined;
    }
    const end = Date.parse(stringAt(tree, "status", "completionTime"));
    const left = (Number.isNaN(end) ? 0 : end + seconds * 1000) - this.#writer.context.clock.now();
    if (left > 0) {
      return left;
    }
    this.#writer.delete(stored);
    return undefined;
  }
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
