import type { Clock } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import { findInstance } from "../store/instances.ts";
import {
  createInvitation,
  deleteInvitations,
  findInvitation,
  type Invitation,
  listInvitations,
  type NamedInvitation,
  takeInvitation,
} from "../store/invitations.ts";
import { grantRole, hasAdministrator, lockAccess, rolesOf } from "../store/roles.ts";
import type { Connection } from "../store/schema.ts";
import { hashOfSecret } from "../store/secret-hash.ts";
import { enabledUser } from "../store/sessions.ts";
import { inTransaction } from "../store/transaction.ts";
import { createUser, findUser, findUserByLogin, noteLogin, setPassword } from "../store/users.ts";
import type { Visitor } from "./accounts.ts";
import { type Actor, administers, type Grant, mayAct } from "./actor.ts";
import { networkOf } from "./client-address.ts";
import { requireAdministrator, requireGivable } from "./giving.ts";
import type { Limiter } from "./limits.ts";
import { hashPassword } from "./password.ts";
import { newSecret } from "./secrets.ts";
import type { OwnSession, Sessions } from "./sessions.ts";

/** For how long a link works, in milliseconds. */
export const linkValidity = {
  invitation: 7 * 86_400_000,
  newPassword: 86_400_000,
  firstAdministrator: 86_400_000,
};

/** A link that was made. Its secret is behind the `#`, so that it isn't in any log. */
export interface Link {
  readonly id: string;
  /** On the console's site. */
  readonly path: string;
  readonly expiresAt: Date;
}

/** What somebody sends who opens a link. */
export interface Acceptance {
  readonly token: string;
  readonly login?: string | undefined;
  readonly name: string;
  readonly password: string;
}

/** What links need. */
export interface InvitationOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly limiter: Limiter;
  readonly hasPasswords: boolean;
}

/** Links with which one person can make an account, or set a password. Each works once. */
export class Invitations {
  readonly #options: InvitationOptions;

  constructor(options: InvitationOptions) {
    this.#options = options;
  }

  /** Makes a link for a new account with these roles. Rejects with a Problem for roles that the actor may not give. */
  async invite(
    actor: Actor,
    { login, grants }: { readonly login: string; readonly grants: readonly Grant[] },
  ): Promise<Link> {
    const { connection } = this.#options;
    this.#requirePasswords();
    for (const grant of grants) {
      await requireGivable(connection, actor, grant);
    }
    if (login !== "" && (await findUserByLogin(connection, login)) !== undefined) {
      throw new Problem("conflict", `There is a user with the login ${login}.`, {
        advice: "Give roles to that user, or choose another login.",
        fields: { login: "is taken" },
      });
    }
    const invitation = { purpose: "new-user", userId: null, login, roles: grants } as const;
    return this.#link({ ...invitation, createdBy: actor.userId }, linkValidity.invitation);
  }

  /** Makes a link with which a user can set a new password; whoever can do that can do all that the user may. */
  async resetPassword(actor: Actor, userId: string): Promise<Link & { readonly login: string }> {
    requireAdministrator(actor);
    this.#requirePasswords();
    const user = await findUser(this.#options.connection, userId);
    if (user === undefined) {
      throw noSuchUser();
    }
    const invitation = { purpose: "new-password", userId: user.id, login: "", roles: [] } as const;
    const link = await this.#link({ ...invitation, createdBy: actor.userId }, linkValidity.newPassword);
    return { ...link, login: user.login };
  }

  /** The links that still work, and that an actor may take back. */
  async list(
    actor: Actor,
    connection: Connection = this.#options.connection,
  ): Promise<readonly NamedInvitation[]> {
    const all = await listInvitations(connection, this.#options.clock.now());
    return all.filter((each) => mayTakeBack(actor, each));
  }

  /** Takes a link back; resolves to what it was. Rejects with a Problem. */
  async remove(actor: Actor, id: string): Promise<NamedInvitation> {
    return inTransaction(this.#options.connection, async (transaction) => {
      await lockAccess(transaction);
      const invitation = (await this.list(actor, transaction)).find((each) => each.id === id);
      if (invitation === undefined) {
        throw new Problem("not-found", "There's no such link.", {
          advice: "Look at the list of links; it may have been used or taken back, or have expired.",
        });
      }
      await deleteInvitations(transaction, { id: invitation.id });
      return invitation;
    });
  }

  /** Makes a link for the first administrator, unless there's one; undefined then. */
  async firstAdministrator(): Promise<Link | undefined> {
    return inTransaction(this.#options.connection, async (transaction) => {
      await lockAccess(transaction);
      if (await hasAdministrator(transaction)) {
        return undefined;
      }
      const invitation = { purpose: "first-administrator", userId: null, login: "", roles: [] } as const;
      return this.#link({ ...invitation, createdBy: null }, linkValidity.firstAdministrator, transaction);
    });
  }

  /**
   * Uses a link up: makes the account or sets the password, and begins a session. Rejects with a Problem if the link
   * doesn't work any more, or if whoever made it may not do that any more; what else is wrong leaves the link as it is.
   */
  async accept(acceptance: Acceptance, visitor: Visitor, signal: AbortSignal): Promise<OwnSession> {
    const { connection, clock, sessions, limiter } = this.#options;
    await limiter.countInvitation(networkOf(visitor.address));
    const tokenHash = hashOfSecret(acceptance.token);
    if ((await findInvitation(connection, tokenHash, clock.now())) === undefined) {
      throw deadLink();
    }
    const hash = await hashPassword(acceptance.password, signal);
    return inTransaction(connection, async (transaction) => {
      await lockAccess(transaction);
      const invitation = await takeInvitation(transaction, tokenHash, clock.now());
      if (invitation === undefined) {
        throw deadLink();
      }
      const userId = await this.#apply(transaction, invitation, acceptance);
      await setPassword(transaction, { userId, hash }, clock.now());
      await noteLogin(transaction, { id: userId }, clock.now());
      await sessions.end(transaction, { userId }, userId);
      const { address, userAgent, before } = visitor;
      return sessions.begin(transaction, { userId, method: "invitation", address, userAgent }, before);
    });
  }

  /** Does what the invitation is for, but for the password; resolves to whose it is to become. */
  async #apply(
    transaction: Connection,
    invitation: Invitation,
    { login = "", name }: Acceptance,
  ): Promise<string> {
    const now = this.#options.clock.now();
    const newUser = { login: invitation.login || login, name, email: "", groups: [] };
    switch (invitation.purpose) {
      case "first-administrator": {
        if (await hasAdministrator(transaction)) {
          throw deadLink();
        }
        const userId = await createUser(transaction, requireLogin(newUser), now);
        await deleteInvitations(transaction, { purpose: "first-administrator" });
        const everything = { role: "administrator", instanceId: null, namespace: null } as const;
        await grantRole(transaction, { ...everything, userId, groupName: null, createdBy: null }, now);
        return userId;
      }
      case "new-user": {
        const roles = await this.#givableRoles(transaction, invitation);
        const userId = await createUser(transaction, requireLogin(newUser), now);
        const { createdBy } = invitation;
        for (const role of roles) {
          await grantRole(transaction, { ...role, userId, groupName: null, createdBy }, now);
        }
        return userId;
      }
      case "new-password": {
        const maker = await this.#makerOf(transaction, invitation);
        const user = await enabledUser(transaction, invitation.userId ?? "");
        if (user === undefined || !administers(maker, { instanceId: null, namespace: null })) {
          throw deadLink();
        }
        return user.id;
      }
    }
  }

  /** What the invitation brings; its maker must still be able to give it, and instances may be gone. */
  async #givableRoles(transaction: Connection, invitation: Invitation): Promise<readonly Grant[]> {
    const maker = await this.#makerOf(transaction, invitation);
    if (!invitation.roles.every((role) => administers(maker, role))) {
      throw deadLink();
    }
    const left: Grant[] = [];
    for (const role of invitation.roles) {
      const isThere =
        role.instanceId === null ||
        (await findInstance(transaction, role.instanceId, "everything")) !== undefined;
      left.push(...(isThere ? [role] : []));
    }
    return left;
  }

  async #makerOf(
    transaction: Connection,
    { createdBy }: Invitation,
  ): Promise<{ readonly grants: readonly Grant[] }> {
    const maker = await enabledUser(transaction, createdBy ?? "");
    if (maker === undefined) {
      throw deadLink();
    }
    return { grants: await rolesOf(transaction, maker, this.#options.clock.now()) };
  }

  async #link(
    invitation: Pick<Invitation, "purpose" | "userId" | "login" | "roles" | "createdBy">,
    validity: number,
    connection: Connection = this.#options.connection,
  ): Promise<Link> {
    const now = this.#options.clock.now();
    const secret = newSecret("invitation");
    const expiresAt = new Date(now + validity);
    const tokenHash = hashOfSecret(secret);
    const id = await createInvitation(connection, { ...invitation, tokenHash, expiresAt }, now);
    return { id, path: `/invitation#${secret}`, expiresAt };
  }

  #requirePasswords(): void {
    if (!this.#options.hasPasswords) {
      throw new Problem("forbidden", "This console takes no passwords, so such a link would be of no use.", {
        advice: "People log in with the identity provider; give roles to them or their groups.",
      });
    }
  }
}

/** What only makes an account without roles can be taken back by whoever made it, too. */
function mayTakeBack(actor: Actor, { purpose, roles, createdBy }: Invitation): boolean {
  if (mayAct(actor, "administrator", {})) {
    return true;
  }
  if (purpose !== "new-user") {
    return false;
  }
  return roles.length === 0 ? createdBy === actor.userId : roles.every((role) => administers(actor, role));
}

function requireLogin<T extends { readonly login: string }>(user: T): T {
  if (user.login === "") {
    throw new Problem("invalid", "The account has no name to log in with.", {
      advice: "Choose one.",
      fields: { login: "is needed" },
    });
  }
  return user;
}

/** The problem of a user who doesn't exist. */
export function noSuchUser(): Problem {
  return new Problem("not-found", "There's no such user.", { advice: "Look at the list of users." });
}

function deadLink(): Problem {
  return new Problem("forbidden", "This link doesn't work any more.", {
    advice: "It may have been used or have expired: ask an administrator for another one.",
  });
}
