import type { Clock } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import { type RateLimit as SharedLimit, useRateLimit } from "../store/rate-limits.ts";
import type { Connection } from "../store/schema.ts";
import { hashOfSecret } from "../store/secret-hash.ts";
import { attempt, type Bucket, type RateLimit } from "./bucket.ts";

/** How often things may be done. */
export interface Limits {
  /** Logins from an address, and at an account, by password; all consoles count together. */
  readonly loginsOfAddress: SharedLimit;
  readonly loginsOfAccount: SharedLimit;
  /** Links that are tried from an address. */
  readonly invitations: SharedLimit;
  /** Logins that are begun at the identity provider from an address. */
  readonly openIdLogins: SharedLimit;
  /** Requests of a user or token, and those from an address without either; each console counts by itself. */
  readonly requests: RateLimit;
}

/** Limits that people don't notice, and programs that behave don't either. */
export const usualLimits: Limits = {
  loginsOfAddress: { burst: 20, perMinute: 10 },
  loginsOfAccount: { burst: 10, perMinute: 6 },
  invitations: { burst: 10, perMinute: 10 },
  openIdLogins: { burst: 20, perMinute: 20 },
  requests: { burst: 300, perMs: 20 },
};

/** The most requesters that are remembered; the one that wasn't seen for the longest time is forgotten. */
const mostRequesters = 10_000;

/** What limits need. */
export interface LimiterOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Refuses what is done too often. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #requesters = new Map<string, Bucket>();

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** Counts a request of somebody. Throws a Problem that says when to try again. */
  countRequest(requester: string): void {
    const { clock, limits } = this.#options;
    const result = attempt(this.#requesters.get(requester), limits.requests, clock.now());
    if (!result.allowed) {
      throw tooMany("requests", result.retryAfterMs);
    }
    this.#requesters.delete(requester);
    this.#requesters.set(requester, result.bucket);
    const [oldest] = this.#requesters.keys();
    if (this.#requesters.size > mostRequesters && oldest !== undefined) {
      this.#requesters.delete(oldest);
    }
  }

  /** Counts an attempt to log in with a password. Rejects with a Problem; the account doesn't have to exist. */
  async countLogin(login: string, address: string): Promise<void> {
    const { loginsOfAddress, loginsOfAccount } = this.#options.limits;
    await this.#count("logins from this address", `login-address:${address}`, loginsOfAddress);
    // What's typed there by mistake may be a password.
    const account = hashOfSecret(login.normalize("NFKC").toLowerCase());
    await this.#count("logins with this name", `login-account:${account}`, loginsOfAccount);
  }

  /** Counts a change of a password, which needs the one before. Rejects with a Problem. */
  async countPasswordChange(userId: string): Promise<void> {
    await this.#count("password changes", `password:${userId}`, this.#options.limits.loginsOfAccount);
  }

  /** Counts an attempt to use a link. Rejects with a Problem. */
  async countInvitation(address: string): Promise<void> {
    await this.#count("links from this address", `invitation:${address}`, this.#options.limits.invitations);
  }

  /** Counts a login that is begun at the identity provider. Rejects with a Problem. */
  async countOpenIdLogin(address: string): Promise<void> {
    await this.#count("logins from this address", `openid:${address}`, this.#options.limits.openIdLogins);
  }

  async #count(what: string, key: string, limit: SharedLimit): Promise<void> {
    const { connection, clock } = this.#options;
    const wait = await useRateLimit(connection, { key, limit }, clock.now());
    if (wait > 0) {
      throw tooMany(what, wait);
    }
  }
}

function tooMany(what: string, ms: number): Problem {
  const seconds = Math.ceil(ms / 1000);
  return new Problem("too-many", `There were too many ${what}.`, {
    advice: `Try again in ${seconds} s.`,
    retryAfter: seconds,
  });
}
