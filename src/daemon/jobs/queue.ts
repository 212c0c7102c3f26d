import { randomBytes } from "node:crypto";

/** Something to be done by the loop, one after the other. */
export interface Job {
  readonly id: string;
  /** Milliseconds since the epoch at which it was queued. */
  readonly enqueuedAt: number;
  /** About the memory that it takes while it waits, in bytes. */
  readonly weight: number;
  run(signal: AbortSignal): Promise<void>;
}

/** How much may wait before callers are sent away. */
export interface QueueLimits {
  readonly jobs: number;
  /** Of all jobs, in bytes. */
  readonly weight: number;
}

/** Jobs in the order in which they came. A caller is never kept waiting: there is room, or there is not. */
export class JobQueue {
  #waiting: Job[] = [];
  #beside = 0;
  #weight = 0;
  readonly #limits: QueueLimits;
  readonly #onChange: (length: number) => void;

  /** `onChange` is told the length whenever a job comes or goes. */
  constructor(limits: QueueLimits, onChange: (length: number) => void) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** True where a caller's job of that weight may wait, too. */
  hasRoomFor(weight: number): boolean {
    const count = this.length + this.#beside;
    return count < this.#limits.jobs && this.#weight + weight <= this.#limits.weight;
  }

  /** Does something past the queue, and counts it as if it waited for as long: it takes memory likewise. */
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

  /** Takes a job, also where there is no room: whether there is, is for who adds it to ask. */
  add(job: Job): void {
    this.#waiting.push(job);
    this.#weight += job.weight;
    this.#onChange(this.#waiting.length);
  }

  /** The oldest job, no longer in the queue; undefined where there is none. */
  take(): Job | undefined {
    const job = this.#waiting.shift();
    if (job) {
      this.#weight -= job.weight;
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
