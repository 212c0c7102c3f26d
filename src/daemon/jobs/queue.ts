import { randomBytes } from "node:crypto";

/** Work for the loop, which does one job at a time. */
export interface Job {
  readonly id: string;
  /** When it was queued, in milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** The approximate memory that it uses while it waits, in bytes. */
  readonly weight: number;
  run(signal: AbortSignal): Promise<void>;
}

/** How much can wait before requests are refused. */
export interface QueueLimits {
  readonly jobs: number;
  /** The total of all jobs, in bytes. */
  readonly weight: number;
}

/** Jobs in the order in which they arrived. Callers never wait for room: there is some, or the request is refused. */
export class JobQueue {
  #waiting: Job[] = [];
  #beside = 0;
  #weight = 0;
  readonly #limits: QueueLimits;
  readonly #onChange: (length: number) => void;

  /** `onChange` receives the new length whenever a job is added or removed. */
  constructor(limits: QueueLimits, onChange: (length: number) => void) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** True if there's room for another job of this weight. */
  hasRoomFor(weight: number): boolean {
    const count = this.length + this.#beside;
    return count < this.#limits.jobs && this.#weight + weight <= this.#limits.weight;
  }

  /** Does work that bypasses the queue, and counts it as if it were waiting, because it uses the same memory. */
  async beside<T>(weight: number, work: () => Promise<T>): Promise<T> {
    this.#beside += 1;
    this.#weight += weight;
    try {
      return await work();
    } finally {
      this.#beside -= 1;
      this.#weight -= weight;
    }
  }

  /** Adds a job even if there's no room; callers check that first. */
  add(job: Job): void {
    this.#waiting.push(job);
    this.#weight += job.weight;
    this.#onChange(this.#waiting.length);
  }

  /** Removes and returns the oldest job; undefined if there's none. */
  take(): Job | undefined {
    const job = this.#waiting.shift();
    if (job) {
      this.#weight -= job.weight;
      this.#onChange(this.#waiting.length);
    }
    return job;
  }
}

/** Creates a job ID: 16 random bytes as 8-4-4-4-12 hex digits, as in Flux v1 (without the version bits of a UUID). */
export function newJobId(): string {
  const hex = randomBytes(16).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
