import { type Clock, Deadline, messageOf, toError } from "@weir/base";
import type { JobResult, JobStatusReport } from "../../api/types/api-server.ts";
import { type JobQueue, newJobId } from "./queue.ts";
import { JobStatuses, type RememberedJobs } from "./status.ts";

/** What a job does, told its ID. */
export type JobWork = (id: string, signal: AbortSignal) => Promise<JobResult>;

/** A job failed after it had done something that is not to be forgotten; the message is that of its cause. */
export class JobError extends Error {
  override readonly name = "JobError";
  readonly result: JobResult;

  constructor(result: JobResult, cause: Error) {
    super(cause.message, { cause });
    this.result = result;
  }
}

/** What jobs are run with. */
export interface JobsOptions {
  /** Where jobs wait for the loop. */
  readonly queue: JobQueue;
  readonly clock: Clock;
  /** How long a job may take, in milliseconds. */
  readonly timeout: number;
  /** How much is remembered of jobs that have ended. */
  readonly remembered: RememberedJobs;
  /** Told when a job begins to wait. */
  onQueued(): void;
}

/** Runs jobs, and remembers how they ended. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #statuses: JobStatuses;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#statuses = new JobStatuses(options.remembered);
  }

  /** How far a job has come; undefined for one that is not remembered. */
  status(id: string): JobStatusReport | undefined {
    return this.#statuses.get(id);
  }

  /** Leaves it to the loop to do something when its turn comes; returns the ID of the job. `weight` is in bytes. */
  enqueue(work: JobWork, weight: number): string {
    const { queue, clock } = this.#options;
    const id = newJobId();
    this.#statuses.set(id, { state: "queued", error: "", result: {} });
    queue.add({ id, enqueuedAt: clock.now(), weight, run: (signal) => this.#execute(id, work, signal) });
    this.#options.onQueued();
    return id;
  }

  /** Does something at once, past the queue; resolves to the ID of the job. Rejects where the job fails. */
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
