import { type Clock, Mutex } from "@weir/base";

/** Something that's valid until some time. */
export interface Expiring {
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

/** What expires sooner than this is renewed. */
const marginMs = 300_000;

/** Keeps credentials until they are about to expire, so that they aren't requested for each use. */
export class Renewed<T extends Expiring> {
  readonly #clock: Clock;
  readonly #kept = new Map<string, T>();
  readonly #turns = new Map<string, Mutex>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The credentials with this name. If they must be requested, simultaneous calls wait for one request. */
  async get(name: string, request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.#turns.get(name) ?? new Mutex();
    this.#turns.set(name, turn);
    return turn.run(async () => {
      const kept = this.#kept.get(name);
      if (kept !== undefined && kept.expires - marginMs > this.#clock.now()) {
        return kept;
      }
      this.#kept.delete(name);
      const renewed = await request();
      this.#kept.set(name, renewed);
      return renewed;
    }, signal);
  }

  /** Forgets credentials that a service no longer accepts. */
  forget(name: string): void {
    this.#kept.delete(name);
  }
}
