import { messageOf } from "@weir/base";

/** The failures of the last finished sync. */
export class SyncOutcome {
  #failures: readonly string[] = [];

  /** Empty after a successful sync, and before the first one. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Runs a sync, which may report failures that don't end it, and stores all failures. Rejects like the sync. */
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
