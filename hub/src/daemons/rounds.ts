import type { Clock } from "@weir/base";

/** What is done in rounds. */
export interface RoundsOptions {
  readonly clock: Clock;
  /** How long things are collected after a round, in milliseconds. */
  readonly pauseMs: number;
  /** Whether anything waits for a round. */
  readonly isDue: () => boolean;
  /** Takes what waits, and does it; must not reject. */
  readonly round: () => Promise<void>;
}

/**
 * Does what waits in rounds, one after the other. What arrives during a round, and shortly after, is left for the next one,
 * so that many things at once take few rounds.
 */
export class Rounds {
  readonly #options: RoundsOptions;
  #working: Promise<void> | undefined;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Says that something waits. */
  begin(): void {
    this.#working ??= this.#work();
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    const { clock, pauseMs, isDue, round } = this.#options;
    do {
      await round();
      await clock.sleep(pauseMs);
    } while (isDue());
    // In the same step as the last look: what arrives after it begins anew.
    this.#working = undefined;
  }
}
