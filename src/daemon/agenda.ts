import { Wake } from "@weir/base";

/**
 * What is due, besides jobs. Requests, timers, and the mirror say that something is, and the loop takes it when its turn
 * comes; however often something was asked for before, it's done once.
 */
export class Agenda {
  readonly #wake = new Wake();
  #headDue = true;
  #syncDue = true;
  #imagesDue = true;

  /** Requests a sync soon. */
  askForSync(): void {
    this.#syncDue = true;
    this.wake();
  }

  /**
   * Requests a sync soon, to the head of the branch as of the last fetch. Without it, a commit that was only peeked at is
   * synced when the next refresh finds it.
   */
  askForSyncToHead(): void {
    this.#headDue = true;
    this.askForSync();
  }

  /** Requests a look for newer images soon. */
  askForImages(): void {
    this.#imagesDue = true;
    this.wake();
  }

  /** Requests a look at the head of the branch, which may have moved. */
  askForHead(): void {
    this.#headDue = true;
    this.wake();
  }

  /** Makes the loop look again at everything, jobs included. */
  wake(): void {
    this.#wake.wake();
  }

  /** True if a look at the head of the branch is due, which it then isn't anymore. */
  takeHead(): boolean {
    const isDue = this.#headDue;
    this.#headDue = false;
    return isDue;
  }

  /** True if a sync is due, which it then isn't anymore. */
  takeSync(): boolean {
    const isDue = this.#syncDue;
    this.#syncDue = false;
    return isDue;
  }

  /** True if a look for newer images is due, which it then isn't anymore. */
  takeImages(): boolean {
    const isDue = this.#imagesDue;
    this.#imagesDue = false;
    return isDue;
  }

  /** For the loop: resolves when it has to look again. Rejects if the signal is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    return this.#wake.wait(signal);
  }

  /** Resolves when the loop waits and has nothing to do until the next request or interval. */
  idle(): Promise<void> {
    return this.#wake.idle();
  }
}
