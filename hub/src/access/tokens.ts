import type { Clock } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import {
  type ApiToken,
  createApiToken,
  findApiToken,
  listApiTokens,
  revokeApiToken,
} from "../store/api-tokens.ts";
import type { Connection } from "../store/schema.ts";
import { hashOfSecret } from "../store/secret-hash.ts";
import { inTransaction } from "../store/transaction.ts";
import { findUser, type User } from "../store/users.ts";
import { requireSession } from "./accounts.ts";
import { type Actor, mayActSomewhere } from "./actor.ts";
import { roleOfScopes } from "./credentials.ts";
import type { Endings } from "./endings.ts";
import { requireAdministrator, requirePlace } from "./giving.ts";
import { noSuchUser } from "./invitations.ts";
import { newSecret } from "./secrets.ts";

/** What somebody wants a token for. */
export interface WantedToken {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Null for all. */
  readonly instanceId: string | null;
  readonly namespace: string | null;
  /** Null for never. */
  readonly expiresAt: Date | null;
}

/** What tokens need. */
export interface TokenOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly endings: Endings;
}

/** The API tokens of people: each permits at most what its maker may do, at the moment when it's used. */
export class Tokens {
  readonly #options: TokenOptions;

  constructor(options: TokenOptions) {
    this.#options = options;
  }

  /** Those of an actor that haven't been revoked. */
  async list({ userId }: Actor): Promise<readonly ApiToken[]> {
    return this.#list(userId);
  }

  /** Those of a user that haven't been revoked. Rejects with a Problem unless the actor administers everything. */
  async listOf(actor: Actor, userId: string): Promise<readonly ApiToken[]> {
    requireAdministrator(actor);
    return this.#list((await this.#user(userId)).id);
  }

  /** Makes a token; its secret is never shown again. Rejects with a Problem for what the actor may not do. */
  async create(
    actor: Actor,
    wanted: WantedToken,
  ): Promise<{ readonly token: ApiToken; readonly secret: string }> {
    const { connection, clock } = this.#options;
    requireSession(actor);
    const now = clock.now();
    await this.#check(actor, wanted, now);
    const secret = newSecret("token");
    const tokenHash = hashOfSecret(secret);
    const id = await createApiToken(connection, { ...wanted, userId: actor.userId, tokenHash }, now);
    const found = await findApiToken(connection, { id }, now);
    if (found === undefined) {
      throw new Error("a token ended while it was made");
    }
    return { token: found.token, secret };
  }

  /** Revokes one of the actor's own tokens; resolves to it. Rejects with a Problem. */
  async revoke(actor: Actor, id: string): Promise<ApiToken> {
    return this.#revoke(requireSession(actor).userId, id);
  }

  /**
   * Revokes a token of a user; resolves to it, and to whose it was. Rejects with a Problem unless the actor administers
   * everything.
   */
  async revokeOf(
    actor: Actor,
    { userId, id }: { readonly userId: string; readonly id: string },
  ): Promise<{ readonly token: ApiToken; readonly user: User }> {
    requireAdministrator(actor);
    const user = await this.#user(userId);
    return { user, token: await this.#revoke(user.id, id) };
  }

  async #user(userId: string): Promise<User> {
    const user = await findUser(this.#options.connection, userId);
    if (user === undefined) {
      throw noSuchUser();
    }
    return user;
  }

  async #list(userId: string): Promise<readonly ApiToken[]> {
    const all = await listApiTokens(this.#options.connection, userId);
    return all.filter(({ revokedAt }) => revokedAt === null);
  }

  async #revoke(userId: string, id: string): Promise<ApiToken> {
    const { connection, clock, endings } = this.#options;
    return inTransaction(connection, async (transaction) => {
      const token = (await listApiTokens(transaction, userId)).find((each) => each.id === id);
      if (token === undefined || !(await revokeApiToken(transaction, token.id, clock.now()))) {
        throw new Problem("not-found", "There's no such token.", {
          advice: "Look at the list of tokens; it may have been ended already.",
        });
      }
      await endings.announce(transaction, userId);
      return token;
    });
  }

  async #check(actor: Actor, wanted: WantedToken, now: number): Promise<void> {
    const { scopes, instanceId, expiresAt } = wanted;
    await requirePlace(this.#options.connection, actor, wanted);
    const role = roleOfScopes(scopes);
    const place = instanceId === null ? {} : { instanceId };
    if (role === undefined || !mayActSomewhere(actor, role, place)) {
      throw new Problem("forbidden", "The token would permit what you may not do yourself.", {
        advice: "Choose fewer scopes, or ask an administrator for the role.",
        fields: { scopes: "are more than your roles" },
      });
    }
    if (expiresAt !== null && expiresAt.getTime() <= now) {
      throw new Problem("invalid", "The token would have expired already.", {
        advice: "Choose a time in the future.",
        fields: { expiresAt: "is over" },
      });
    }
  }
}
