import { weightOfJson } from "@weir/base";
import type { JobStatusReport } from "../../api/types/api-server.ts";
import { encodeJobStatus } from "../../api/types/job.ts";

/** How much is remembered of jobs that have ended. */
export interface RememberedJobs {
  readonly count: number;
  /** About the memory that they take, in bytes. */
  readonly weight: number;
}

/**
 * How far jobs have come. Those that wait or run are never forgotten; of those that have ended the oldest are, where
 * there are too many, or where they take too much memory, but for the last one. A job never shows an older state again.
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
