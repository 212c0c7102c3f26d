import { Mutex } from "@weir/base";

/** Runs one piece of work at a time for each name, in the order of the calls. */
export class Turns {
  readonly #byName = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** See Mutex.run. */
  async run<T>(name: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.#byName.get(name) ?? { mutex: new Mutex(), users: 0 };
    this.#byName.set(name, turn);
    turn.users += 1;
    try {
      return await turn.mutex.run(work, signal);
    } finally {
      turn.users -= 1;
      if (turn.users === 0) {
        this.#byName.delete(name);
      }
    }
  }
}
