import type { Clock } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import { revokeApiTokensOf } from "../store/api-tokens.ts";
import {
  findRole,
  grantRole,
  hasAdministrator,
  type ListedRole,
  listRoles,
  lockAccess,
  type NewRole,
  type Role,
  revokeRole,
} from "../store/roles.ts";
import type { Connection } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { findUser, setUserDisabled, type User } from "../store/users.ts";
import { type Actor, administers } from "./actor.ts";
import type { Endings } from "./endings.ts";
import { requireAdministrator, requireGivable } from "./giving.ts";
import { noSuchUser } from "./invitations.ts";
import type { Sessions } from "./sessions.ts";

/** What the administration of users and roles needs. */
export interface AdministrationOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly endings: Endings;
  readonly sessions: Sessions;
}

/** Changes who may do what. There's always an administrator of everything who can log in, once there was one. */
export class Administration {
  readonly #options: AdministrationOptions;

  constructor(options: AdministrationOptions) {
    this.#options = options;
  }

  /** Disables a user, whose sessions and tokens end for good, or allows one again. Rejects with a Problem. */
  async setDisabled(actor: Actor, userId: string, disabled: boolean): Promise<User> {
    const { clock, sessions } = this.#options;
    requireAdministrator(actor);
    return this.#change(async (transaction) => {
      const user = await findUser(transaction, userId);
      if (user === undefined) {
        throw noSuchUser();
      }
      await setUserDisabled(transaction, { id: user.id, disabled }, clock.now());
      if (disabled) {
        await revokeApiTokensOf(transaction, user.id, clock.now());
        await sessions.end(transaction, { userId: user.id }, user.id);
      }
      return (await findUser(transaction, user.id)) ?? user;
    });
  }

  /** Ends all sessions of a user; resolves to the user. Rejects with a Problem. */
  async endSessions(actor: Actor, userId: string): Promise<User> {
    requireAdministrator(actor);
    return this.#change(async (transaction) => {
      const user = await findUser(transaction, userId);
      if (user === undefined) {
        throw noSuchUser();
      }
      await this.#options.sessions.end(transaction, { userId: user.id }, user.id);
      return user;
    });
  }

  /** The roles that an actor may give and take. */
  async roles(actor: Actor): Promise<readonly ListedRole[]> {
    return (await listRoles(this.#options.connection)).filter((role) => administers(actor, role));
  }

  /** Gives a role; resolves to it, also if it was given before. Rejects with a Problem. */
  async addRole(actor: Actor, role: Omit<NewRole, "createdBy">): Promise<ListedRole> {
    const { connection, clock, endings } = this.#options;
    await requireGivable(connection, actor, role);
    return this.#change(async (transaction) => {
      const user = role.userId === null ? undefined : await findUser(transaction, role.userId);
      if (role.userId !== null && user === undefined) {
        throw noSuchUser();
      }
      const given = { ...role, createdBy: actor.userId };
      const id = await grantRole(transaction, given, clock.now());
      await endings.announce(transaction, role.userId);
      const stored = await findRole(transaction, id);
      return stored ?? { ...given, id, login: user?.login ?? null, createdAt: new Date(clock.now()) };
    });
  }

  /** Takes a role away; resolves to it. Rejects with a Problem. */
  async removeRole(actor: Actor, id: string): Promise<Role> {
    return this.#change(async (transaction) => {
      const role = await revokeRole(transaction, id);
      if (role === undefined || !administers(actor, role)) {
        throw new Problem("not-found", "There's no such role.", {
          advice: "Look at the list of roles; it may have been taken away already.",
        });
      }
      await this.#options.endings.announce(transaction, role.userId);
      return role;
    });
  }

  /** One change at a time, of all consoles together; what would leave nobody as administrator is undone. */
  async #change<T>(work: (transaction: Connection) => Promise<T>): Promise<T> {
    return inTransaction(this.#options.connection, async (transaction) => {
      await lockAccess(transaction);
      const before = await hasAdministrator(transaction);
      const result = await work(transaction);
      if (before && !(await hasAdministrator(transaction))) {
        throw new Problem("refused", "This would leave the console without an administrator.", {
          advice: "Make somebody else administrator of all instances first.",
        });
      }
      return result;
    });
  }
}
