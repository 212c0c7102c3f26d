import { messageOf } from "../../base/errors.ts";

/** What went wrong in the last sync that ended. */
export class SyncOutcome {
  #failures: readonly string[] = [];

  /** Empty where all went well, and before the first sync. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Watches over a sync, which may tell of failures that do not end it; rejects as the sync does. */
  async of<T>(sync: (noteFailure: (message: string) => void) => Promise<T>): Promise<T> {
    const failures: string[] = [];
    try {
      return await sync((message) => failures.push(message));
    } catch (error) {
      failures.push(messageOf(error));
      throw error;
    } finally {
      this.#failures = failures;
    }
  }
}
