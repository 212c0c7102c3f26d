import { Alarm, type Clock } from "@weir/base";

/** Calls that come together, acted upon once: some time after the first of them. */
export class Collected implements Disposable {
  readonly #alarm: Alarm;
  readonly #ms: number;

  /** `ms` is how long calls are collected, in milliseconds. */
  constructor(clock: Clock, ms: number, act: () => void) {
    this.#ms = ms;
    this.#alarm = new Alarm(clock, act);
  }

  call(): void {
    if (!this.#alarm.isSet) {
      this.#alarm.set(this.#ms);
    }
  }

  [Symbol.dispose](): void {
    this.#alarm.clear();
  }
}
