import type { Clock } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import type { Connection } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { findPassword, findUserByLogin, noteLogin, setPassword } from "../store/users.ts";
import type { Actor } from "./actor.ts";
import { networkOf } from "./client-address.ts";
import type { Limiter } from "./limits.ts";
import { hashPassword, isPassword } from "./password.ts";
import type { OwnSession, Sessions } from "./sessions.ts";

/** From where somebody logs in. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
  /** Who the browser was logged in as until now. */
  readonly before: Actor | undefined;
}

/** What accounts need. */
export interface AccountOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly limiter: Limiter;
  /** Whether people can log in with passwords. */
  readonly hasPasswords: boolean;
}

/** Logs people in by their passwords, and changes those. */
export class Accounts {
  readonly #options: AccountOptions;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  /**
   * Begins a session. Rejects with a Problem that's the same, after the same time, for a wrong password, a login that
   * doesn't exist, and a user who is disabled; `note` is told who it was if there's such a user.
   */
  async logIn(
    { login, password }: { readonly login: string; readonly password: string },
    { address, userAgent, before }: Visitor,
    { signal, note }: { readonly signal: AbortSignal; readonly note: (login: string) => void },
  ): Promise<OwnSession> {
    const { connection, clock, sessions, limiter } = this.#options;
    this.#requirePasswords();
    await limiter.countLogin(login, networkOf(address));
    const user = await findUserByLogin(connection, login);
    if (user !== undefined) {
      note(user.login);
    }
    const stored = await findPassword(connection, user?.id ?? "");
    const isRight = await isPassword(password, user?.disabledAt === null ? stored : undefined, signal);
    if (user === undefined || !isRight) {
      throw new Problem("unauthenticated", "The name or the password is wrong.", {
        advice: "Try again, or ask an administrator for a link that sets a new password.",
      });
    }
    return inTransaction(connection, async (transaction) => {
      await noteLogin(transaction, { id: user.id }, clock.now());
      return sessions.begin(transaction, { userId: user.id, method: "password", address, userAgent }, before);
    });
  }

  /** Changes the password of who is logged in, and ends all their other sessions. Rejects with a Problem. */
  async changePassword(
    actor: Actor,
    { current, next }: { readonly current: string; readonly next: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { connection, clock, sessions, limiter } = this.#options;
    const { userId, credentialId } = requireSession(actor);
    this.#requirePasswords();
    await limiter.countPasswordChange(userId);
    if (!(await isPassword(current, await findPassword(connection, userId), signal))) {
      throw new Problem("forbidden", "The current password is wrong.", {
        advice: "Try again. An account without a password needs a link from an administrator to set one.",
        fields: { current: "is wrong" },
      });
    }
    const hash = await hashPassword(next, signal);
    await inTransaction(connection, async (transaction) => {
      await setPassword(transaction, { userId, hash }, clock.now());
      await sessions.end(transaction, { userId, but: credentialId }, userId);
    });
  }

  #requirePasswords(): void {
    if (!this.#options.hasPasswords) {
      throw new Problem("forbidden", "This console takes no passwords.", {
        advice: "Log in with the identity provider.",
      });
    }
  }
}

/** Refuses tokens where it takes a person: a token must not get around its own limits. Throws a Problem. */
export function requireSession(actor: Actor): Actor {
  if (actor.kind !== "user") {
    throw new Problem("forbidden", "This can't be done with a token.", {
      advice: "Log in to the console, and do it there.",
    });
  }
  return actor;
}
