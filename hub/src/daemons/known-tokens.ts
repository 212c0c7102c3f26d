import type { Clock } from "@weir/base";
import { Rounds } from "./rounds.ts";

/** Resolves to the instances of those tokens that have one, by the tokens' hashes. */
export type LookUpTokens = (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** How long it counts whose a token is, or that it's nobody's, in milliseconds: daemons post events in bursts. */
const validity = 5_000;

/** The most tokens that are kept. */
const mostTokens = 10_000;

/** The most tokens that are looked up at once, and that wait: whoever tries tokens doesn't keep the database busy. */
const mostLookedUp = 1_000;
const mostWaiting = 2_000;

/** How long tokens are collected after others were looked up, in milliseconds: each query takes a round trip. */
const collectFor = 20;

/** More tokens are tried than can be looked up. */
class TooManyTokensError extends Error {
  override readonly name = "TooManyTokensError";
}

interface Known {
  readonly instanceId: string | undefined;
  readonly until: number;
  /** Whether somebody has asked since it was looked up. */
  isUsed: boolean;
}

/**
 * Which instances tokens belong to, by their hashes. Tokens that are asked for during a look-up, or shortly after, are looked
 * up together, and with them those in use that are about to expire, so that many daemons at once take few queries.
 */
export class KnownTokens {
  readonly #clock: Clock;
  readonly #lookUp: LookUpTokens;
  readonly #known = new Map<string, Known>();
  readonly #waiting = new Map<string, PromiseWithResolvers<string | undefined>>();
  readonly #rounds: Rounds;
  /** How often all tokens were forgotten. */
  #generation = 0;

  constructor(clock: Clock, lookUp: LookUpTokens) {
    this.#clock = clock;
    this.#lookUp = lookUp;
    this.#rounds = new Rounds({
      ...{ clock, pauseMs: collectFor },
      isDue: () => this.#waiting.size > 0,
      round: () => this.#answer([...this.#waiting.keys()].slice(0, mostLookedUp)),
    });
  }

  /** The instance of a token; undefined if nobody has it. Rejects like the look-up, or with TooManyTokensError. */
  async instanceOf(hash: string): Promise<string | undefined> {
    const known = this.#known.get(hash);
    if (known !== undefined && this.#clock.now() < known.until) {
      known.isUsed = true;
      return known.instanceId;
    }
    const waiting = this.#waiting.get(hash) ?? this.#wait(hash);
    return waiting.promise;
  }

  /** Forgets all tokens, since one of them may not be valid any more. */
  clear(): void {
    this.#generation += 1;
    this.#known.clear();
  }

  #wait(hash: string): PromiseWithResolvers<string | undefined> {
    if (this.#waiting.size >= mostWaiting) {
      throw new TooManyTokensError("too many tokens are tried at the moment");
    }
    const waiting = Promise.withResolvers<string | undefined>();
    this.#waiting.set(hash, waiting);
    this.#rounds.begin();
    return waiting;
  }

  /** Never rejects. */
  async #answer(asked: readonly string[]): Promise<void> {
    const generation = this.#generation;
    const hashes = [...asked, ...this.#dueSoon(mostLookedUp - asked.length)];
    try {
      const found = await this.#lookUp(hashes);
      // Otherwise, what was found may be older than the change because of which all were forgotten.
      if (generation === this.#generation) {
        const until = this.#clock.now() + validity;
        hashes.forEach((hash) => this.#keep(hash, { instanceId: found.get(hash), until, isUsed: false }));
        asked.forEach((hash) => this.#take(hash)?.resolve(found.get(hash)));
      }
    } catch (error) {
      asked.forEach((hash) => this.#take(hash)?.reject(error));
    }
  }

  /** Tokens of instances that are in use, and are about to expire. */
  #dueSoon(most: number): readonly string[] {
    const soon = this.#clock.now() + validity / 2;
    const due: string[] = [];
    // The oldest come first.
    for (const [hash, { instanceId, isUsed, until }] of this.#known) {
      if (until >= soon || due.length >= most) {
        break;
      }
      if (instanceId !== undefined && isUsed && !this.#waiting.has(hash)) {
        due.push(hash);
      }
    }
    return due;
  }

  #take(hash: string): PromiseWithResolvers<string | undefined> | undefined {
    const waiting = this.#waiting.get(hash);
    this.#waiting.delete(hash);
    return waiting;
  }

  #keep(hash: string, known: Known): void {
    this.#known.delete(hash);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostTokens && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    this.#known.set(hash, known);
  }
}
