import type { Clock } from "@weir/base";

/** What a heartbeat needs of a connection. */
export interface Pulse {
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** False while what comes in is left with the sender: then silence is our own doing. */
  isListening(): boolean;
  ping(): void;
  /** Nothing came for so many milliseconds: the other side is gone. */
  silent(ms: number): void;
}

/** In milliseconds. As Flux v1. */
const pingPeriod = 13_333;
const silenceLimit = 30_000;

/** Pings the other side from time to time, and tells when nothing has been heard of it for too long. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #pulse: Pulse;
  #lastHeard: number;

  /** Beats at once, until the connection ends. */
  constructor(clock: Clock, pulse: Pulse) {
    this.#clock = clock;
    this.#pulse = pulse;
    this.#lastHeard = clock.now();
    // Both end by the signal, which is no failure.
    void this.#beat().catch(() => undefined);
    void this.#watch().catch(() => undefined);
  }

  /** Something came. As Flux v1, a pong or a message counts, a ping does not. */
  heard(): void {
    this.#lastHeard = this.#clock.now();
  }

  async #beat(): Promise<never> {
    for (;;) {
      await this.#clock.sleep(pingPeriod, this.#pulse.signal);
      this.#pulse.ping();
    }
  }

  async #watch(): Promise<void> {
    for (;;) {
      const left = this.#lastHeard + silenceLimit - this.#clock.now();
      if (left <= 0 && this.#pulse.isListening()) {
        this.#pulse.silent(silenceLimit);
        return;
      }
      await this.#clock.sleep(left > 0 ? left : silenceLimit, this.#pulse.signal);
    }
  }
}
