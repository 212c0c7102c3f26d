import { messageOf } from "@weir/base";

/** What went wrong in the last sync that ended. */
export class SyncOutcome {
  #failures: readonly string[] = [];

  /** Empty where all went well, and before the first sync. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Runs a sync, which may report failures that do not end it, and keeps what failed. Rejects as the sync does. */
  async record<T>(sync: (noteFailure: (message: string) => void) => Promise<T>): Promise<T> {
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
