import { type Clock, Slots } from "@weir/base";

/** How long it counts whose a token is, or that it's nobody's, in milliseconds: daemons post events in bursts. */
const validity = 5_000;

/** The most tokens that are kept. */
const mostTokens = 10_000;

/** How many tokens are looked up at a time, and how many wait: whoever tries tokens doesn't keep the database busy. */
const mostLookUps = { atATime: 4, waiting: 2_000 };

/** More tokens are tried than can be looked up. */
class TooManyTokensError extends Error {
  override readonly name = "TooManyTokensError";
}

/** Which instances tokens belong to, by their hashes. */
export class KnownTokens {
  readonly #clock: Clock;
  readonly #lookUp: (hash: string) => Promise<string | undefined>;
  readonly #known = new Map<string, { readonly instanceId: string | undefined; readonly until: number }>();
  /** How often all tokens were forgotten. */
  #generation = 0;
  readonly #slots = new Slots(mostLookUps.atATime);

  constructor(clock: Clock, lookUp: (hash: string) => Promise<string | undefined>) {
    this.#clock = clock;
    this.#lookUp = lookUp;
  }

  /** The instance of a token; undefined if nobody has it. Rejects like the look-up, or with TooManyTokensError. */
  async instanceOf(hash: string): Promise<string | undefined> {
    const known = this.#known.get(hash);
    if (known !== undefined && this.#clock.now() < known.until) {
      return known.instanceId;
    }
    this.#known.delete(hash);
    const generation = this.#generation;
    const instanceId = await this.#lookUpInTurn(hash);
    if (generation !== this.#generation) {
      // What was found may be older than the change because of which all were forgotten.
      return this.instanceOf(hash);
    }
    this.#keep(hash, instanceId);
    return instanceId;
  }

  async #lookUpInTurn(hash: string): Promise<string | undefined> {
    if (this.#slots.waiting >= mostLookUps.waiting) {
      throw new TooManyTokensError("too many tokens are tried at the moment");
    }
    return this.#slots.run(() => this.#lookUp(hash));
  }

  /** Forgets all tokens, since one of them may not be valid any more. */
  clear(): void {
    this.#generation += 1;
    this.#known.clear();
  }

  #keep(hash: string, instanceId: string | undefined): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostTokens && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    this.#known.set(hash, { instanceId, until: this.#clock.now() + validity });
  }
}
