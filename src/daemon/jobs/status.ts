import type { JobStatusReport } from "../../api/types/api-server.ts";

/**
 * How the last jobs ended. The oldest is forgotten when there are more than `capacity`; a job whose state
 * changes stays where it is, so that an older state never shows again.
 */
export class JobStatuses {
  readonly #capacity: number;
  readonly #statuses = new Map<string, JobStatusReport>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(id: string): JobStatusReport | undefined {
    return this.#statuses.get(id);
  }

  set(id: string, status: JobStatusReport): void {
    this.#statuses.set(id, status);
    for (const oldest of this.#statuses.keys()) {
      if (this.#statuses.size <= this.#capacity) {
        break;
      }
      this.#statuses.delete(oldest);
    }
  }
}
