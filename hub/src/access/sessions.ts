import type { Clock } from "@weir/base";
import type { Connection } from "../store/schema.ts";
import { hashOfSecret } from "../store/secret-hash.ts";
import { createSession, endSessions, type NewSession, type Session } from "../store/sessions.ts";
import { inTransaction } from "../store/transaction.ts";
import type { Actor } from "./actor.ts";
import { actorOfSession } from "./credentials.ts";
import type { Endings } from "./endings.ts";
import { csrfToken } from "./forgery.ts";
import { newSecret } from "./secrets.ts";

/** For how long sessions are good, in milliseconds. */
export interface SessionLimits {
  /** After their last use. */
  readonly idle: number;
  /** After their beginning, however much they're used. */
  readonly absolute: number;
  /** After a login at an identity provider, which also confirms the groups of the person for this long. */
  readonly confirmed: number;
}

const day = 86_400_000;

export const usualSessionLimits = { idle: day, absolute: 14 * day };

/** Until when a session is good that's used now, in milliseconds since the epoch. */
export function expiryOf(
  { method, createdAt }: Pick<Session, "method" | "createdAt">,
  { idle, absolute, confirmed }: SessionLimits,
  now: number,
): number {
  const longest = method === "oidc" ? Math.min(absolute, confirmed) : absolute;
  return Math.min(now + idle, createdAt.getTime() + longest);
}

/** A session as its browser knows it: with the secret of its cookie, and what follows from that. */
export interface OwnSession {
  readonly actor: Actor;
  readonly secret: string;
  readonly csrfToken: string;
  readonly expiresAt: number;
  /** How it began. */
  readonly method: Beginning["method"];
}

/** What sessions need. */
export interface SessionOptions {
  readonly clock: Clock;
  readonly endings: Endings;
  readonly limits: SessionLimits;
}

/** Who begins a session, how, and where. */
export type Beginning = Pick<NewSession, "userId" | "method" | "address" | "userAgent">;

/** Begins and ends sessions. */
export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Begins a session with a new secret; the one that the browser had before, if it had one, ends. */
  async begin(transaction: Connection, beginning: Beginning, before: Actor | undefined): Promise<OwnSession> {
    const { clock, limits } = this.#options;
    const [secret, now] = [newSecret("session"), clock.now()];
    const expiresAt = expiryOf({ ...beginning, createdAt: new Date(now) }, limits, now);
    if (before?.kind === "user") {
      await this.end(transaction, { id: before.credentialId }, before.userId);
    }
    const tokenHash = hashOfSecret(secret);
    await createSession(transaction, { ...beginning, tokenHash, expiresAt: new Date(expiresAt) }, now);
    const begun = await actorOfSession(transaction, { tokenHash }, now);
    if (begun === undefined) {
      throw new Error("a session ended while it began");
    }
    return { actor: begun.actor, secret, csrfToken: csrfToken(secret), expiresAt, method: beginning.method };
  }

  /** Ends sessions of a user at once, in all consoles; resolves to their IDs. */
  async end(
    connection: Connection,
    which: { readonly id: string } | { readonly userId: string; readonly but?: string },
    userId: string,
  ): Promise<readonly string[]> {
    return inTransaction(connection, async (transaction) => {
      const ended = await endSessions(transaction, which);
      await this.#options.endings.announce(transaction, userId);
      return ended;
    });
  }
}
