import type { Clock } from "@weir/base";

/** The interface between a heartbeat and its connection. */
export interface Pulse {
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** False while the connection is paused: then silence is our own doing. */
  isListening(): boolean;
  ping(): void;
  /** Called if nothing arrived for this many milliseconds: the other side is gone. */
  silent(ms: number): void;
}

/** In milliseconds. As Flux v1. */
const pingPeriod = 13_333;
const silenceLimit = 30_000;

/** Pings the other side periodically, and reports if nothing has arrived for too long. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #pulse: Pulse;
  #lastHeard: number;

  /** Runs until the connection ends. */
  constructor(clock: Clock, pulse: Pulse) {
    this.#clock = clock;
    this.#pulse = pulse;
    this.#lastHeard = clock.now();
    // Both end with the signal, which isn't a failure.
    void this.#beat().catch(() => undefined);
    void this.#watch().catch(() => undefined);
  }

  /** Something arrived. As Flux v1, a pong or a message counts, a ping doesn't. */
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
