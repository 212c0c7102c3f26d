import { randomBytes } from "node:crypto";

/** Something to be done by the loop, one after the other. */
export interface Job {
  readonly id: string;
  /** Milliseconds since the epoch at which it was queued. */
  readonly enqueuedAt: number;
  run(signal: AbortSignal): Promise<void>;
}

/** Jobs in the order in which they came. Unbounded: a caller is never kept waiting. */
export class JobQueue {
  #waiting: Job[] = [];
  readonly #onChange: (length: number) => void;

  /** `onChange` is told the length whenever a job comes or goes. */
  constructor(onChange: (length: number) => void) {
    this.#onChange = onChange;
  }

  get length(): number {
    return this.#waiting.length;
  }

  add(job: Job): void {
    this.#waiting.push(job);
    this.#onChange(this.#waiting.length);
  }

  /** The oldest job, no longer in the queue; undefined where there is none. */
  take(): Job | undefined {
    const job = this.#waiting.shift();
    if (job) {
      this.#onChange(this.#waiting.length);
    }
    return job;
  }
}

/** A new job ID: 16 random bytes as 8-4-4-4-12 hex digits, as Flux v1 makes them (no UUID version bits). */
export function newJobId(): string {
  const hex = randomBytes(16).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
