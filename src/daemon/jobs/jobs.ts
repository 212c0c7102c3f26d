import { type Clock, Deadline, messageOf, toError } from "@weir/base";
import type { JobResult, JobStatusReport } from "@weir/flux/api";
import { type JobQueue, newJobId } from "./queue.ts";
import { JobStatuses, type RememberedJobs } from "./status.ts";

/** The work of a job, which receives its ID. */
export type JobWork = (id: string, signal: AbortSignal) => Promise<JobResult>;

/** Runs jobs and remembers their results. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #statuses: JobStatuses;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#statuses = new JobStatuses(options.remembered);
  }

  /** The state of a job; undefined for one that isn't remembered. */
  status(id: string): JobStatusReport | undefined {
    return this.#statuses.get(id);
  }

  /** Adds a job for the loop to run, and returns its ID, which must be new. `weight` is in bytes. */
  enqueue(work: JobWork, weight: number, id = newJobId()): string {
    const { queue, clock } = this.#options;
    this.#statuses.set(id, { state: "queued", error: "", result: {} });
    queue.add({ id, enqueuedAt: clock.now(), weight, run: (signal) => this.#execute(id, work, signal) });
    this.#options.onQueued();
    return id;
  }

  /** Runs a job immediately, bypassing the queue, and resolves to its ID. Rejects if the job fails. */
  async runNow(work: JobWork, signal: AbortSignal): Promise<string> {
    const id = newJobId();
    await this.#execute(id, work, signal);
    return id;
  }

  async #execute(id: string, work: JobWork, signal: AbortSignal): Promise<void> {
    const { clock, timeout } = this.#options;
    using limit = new Deadline(clock, timeout, signal);
    this.#statuses.set(id, { state: "running", error: "", result: {} });
    try {
      const result = await work(id, limit.signal);
      this.#statuses.set(id, { state: "succeeded", error: "", result });
    } catch (error) {
      const result = error instanceof JobError ? error.result : {};
      this.#statuses.set(id, { state: "failed", error: messageOf(error), result });
      throw toError(error);
    }
  }
}

/** A job failed after it had results that must be kept; the message is that of the cause. */
export class JobError extends Error {
  override readonly name = "JobError";
  readonly result: JobResult;

  constructor(result: JobResult, cause: Error) {
    super(cause.message, { cause });
    this.result = result;
  }
}

export interface JobsOptions {
  /** The queue where jobs wait for the loop. */
  readonly queue: JobQueue;
  readonly clock: Clock;
  /** The time limit for a job, in milliseconds. */
  readonly timeout: number;
  /** How many finished jobs to remember. */
  readonly remembered: RememberedJobs;
  /** Called when a job starts waiting. */
  onQueued(): void;
}
