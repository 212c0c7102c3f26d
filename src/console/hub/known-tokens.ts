import type { Clock } from "@weir/base";

/** How long a token counts as valid without another look, in milliseconds: daemons post events in bursts. */
const validity = 5_000;

/** The most tokens that are kept. */
const mostTokens = 10_000;

/** Which instances tokens belong to, by their hashes; what isn't valid is looked up each time. */
export class KnownTokens {
  readonly #clock: Clock;
  readonly #lookUp: (hash: string) => Promise<string | undefined>;
  readonly #known = new Map<string, { readonly instanceId: string; readonly until: number }>();
  /** How often all tokens were forgotten. */
  #generation = 0;

  constructor(clock: Clock, lookUp: (hash: string) => Promise<string | undefined>) {
    this.#clock = clock;
    this.#lookUp = lookUp;
  }

  /** The instance of a token; undefined if nobody has it. Rejects like the look-up. */
  async instanceOf(hash: string): Promise<string | undefined> {
    const known = this.#known.get(hash);
    if (known !== undefined && this.#clock.now() < known.until) {
      return known.instanceId;
    }
    this.#known.delete(hash);
    const generation = this.#generation;
    const instanceId = await this.#lookUp(hash);
    if (generation !== this.#generation) {
      // What was found may be older than the change because of which all were forgotten.
      return this.instanceOf(hash);
    }
    if (instanceId !== undefined) {
      this.#keep(hash, instanceId);
    }
    return instanceId;
  }

  /** Forgets all tokens, since one of them may not be valid any more. */
  clear(): void {
    this.#generation += 1;
    this.#known.clear();
  }

  #keep(hash: string, instanceId: string): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostTokens && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    this.#known.set(hash, { instanceId, until: this.#clock.now() + validity });
  }
}
