import { weightOfJson } from "@weir/base";
import { encodeJobStatus, type JobStatusReport } from "@weir/flux/api";

/** How many finished jobs to remember. */
export interface RememberedJobs {
  readonly count: number;
  /** The approximate memory that they use, in bytes. */
  readonly weight: number;
}

/**
 * The states of jobs. Waiting and running jobs are never forgotten. Of the finished ones, the oldest are dropped if
 * there are too many or if they use too much memory, but the last one stays. A job never returns to an earlier state.
 */
export class JobStatuses {
  readonly #limits: RememberedJobs;
  readonly #open = new Map<string, JobStatusReport>();
  readonly #ended = new Map<string, { readonly status: JobStatusReport; readonly weight: number }>();
  #weight = 0;

  constructor(limits: RememberedJobs) {
    this.#limits = limits;
  }

  get(id: string): JobStatusReport | undefined {
    return this.#open.get(id) ?? this.#ended.get(id)?.status;
  }

  set(id: string, status: JobStatusReport): void {
    if (status.state === "queued" || status.state === "running") {
      this.#open.set(id, status);
    } else {
      this.#open.delete(id);
      this.#end(id, status);
    }
  }

  #end(id: string, status: JobStatusReport): void {
    const weight = weightOfJson(encodeJobStatus(status));
    this.#ended.set(id, { status, weight });
    this.#weight += weight;
    for (const [oldest, { weight: freed }] of this.#ended) {
      if (oldest === id || (this.#ended.size <= this.#limits.count && this.#weight <= this.#limits.weight)) {
        break;
      }
      this.#ended.delete(oldest);
      this.#weight -= freed;
    }
  }
}
