import { type Clock, Mutex } from "@weir/base";
import type { HostCredentials } from "@weir/flux";
import type { HttpAnswer } from "@weir/http";
import { type Challenge, parseChallenges } from "./challenge.ts";
import { basicAuthorization, parseToken, type Token, type TokenRequest, tokenRequest } from "./token.ts";

/** Who sends a request, and for which repository. */
export interface Visitor {
  /** The path of the repository within its registry. */
  readonly repository: string;
  readonly credentials: HostCredentials | undefined;
}

/** Sends a request to a token server and returns the response; rejects if there's none. */
export type AskTokenServer = (request: TokenRequest) => Promise<HttpAnswer>;

/** How one host expects authentication, and the tokens that it issued. Tokens are reused until they expire. */
export class HostAuth {
  readonly #clock: Clock;
  readonly #mutex = new Mutex();
  readonly #tokens = new Map<string, Token>();
  #challenge: Challenge | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Remembers which authentication a WWW-Authenticate header asks for; false if it asks for none that we support. */
  learn(header: string): boolean {
    const challenges = parseChallenges(header);
    const wanted = ["bearer", "basic"].map((scheme) => challenges.find((each) => each.scheme === scheme));
    const found = wanted.find((each) => each !== undefined);
    this.#challenge = found ?? this.#challenge;
    return found !== undefined;
  }

  /** The Authorization header for a visitor; undefined if the host wants none, or if there's nothing to send. */
  async authorization(
    visitor: Visitor,
    mayBePlain: boolean,
    ask: AskTokenServer,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const challenge = this.#challenge;
    if (challenge?.scheme === "bearer") {
      // One request at a time: those that wait then find the token that the first one got.
      const token = await this.#mutex.run(() => this.#token(challenge, visitor, mayBePlain, ask), signal);
      return `Bearer ${token.text}`;
    }
    const { credentials } = visitor;
    return challenge === undefined || credentials === undefined ? undefined : basicAuthorization(credentials);
  }

  /** Drops a token that the registry refused. */
  forget(visitor: Visitor): void {
    this.#tokens.delete(keyOf(visitor));
  }

  async #token(
    challenge: Challenge,
    visitor: Visitor,
    mayBePlain: boolean,
    ask: AskTokenServer,
  ): Promise<Token> {
    const kept = this.#tokens.get(keyOf(visitor));
    if (kept !== undefined && kept.expires > this.#clock.now()) {
      return kept;
    }
    const { repository, credentials } = visitor;
    const { body } = await ask(tokenRequest(challenge, { repository, credentials, mayBePlain }));
    const token = parseToken(body, this.#clock.now());
    this.#dropExpired();
    this.#tokens.set(keyOf(visitor), token);
    return token;
  }

  #dropExpired(): void {
    for (const [key, { expires }] of this.#tokens) {
      if (expires <= this.#clock.now()) {
        this.#tokens.delete(key);
      }
    }
  }
}

/** A visitor with another password is another visitor. */
function keyOf({ repository, credentials }: Visitor): string {
  return JSON.stringify([repository, credentials?.username, credentials?.password]);
}
