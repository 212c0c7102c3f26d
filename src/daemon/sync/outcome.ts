import { messageOf } from "@weir/base";
import type { ResourceId } from "../../resource/id.ts";
import type { WaitingSync } from "./sync.ts";

/** The failures of the last finished sync, and what the current one waits for. */
export class SyncOutcome {
  #failures: readonly string[] = [];
  #waitingFor: readonly ResourceId[] = [];

  /** Empty after a successful sync, and before the first one. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Empty if no sync is waiting. */
  get waitingFor(): readonly ResourceId[] {
    return this.#waitingFor;
  }

  /**
   * Runs a sync, which may report failures that don't end it, and stores all failures, unless the sync has to wait.
   * Rejects like the sync.
   */
  async record<T extends Pick<WaitingSync, "waitingFor"> | undefined>(
    sync: (noteFailure: (message: string) => void) => Promise<T>,
  ): Promise<T> {
    const failures: string[] = [];
    try {
      const waiting = await sync((message) => failures.push(message));
      this.#waitingFor = waiting?.waitingFor ?? [];
      if (waiting === undefined) {
        this.#failures = failures;
      }
      return waiting;
    } catch (error) {
      this.#waitingFor = [];
      this.#failures = [...failures, messageOf(error)];
      throw error;
    }
  }
}
