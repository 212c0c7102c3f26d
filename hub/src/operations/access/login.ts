import type { Access } from "../../access/access.ts";
import type { Visitor } from "../../access/accounts.ts";
import { requireSession } from "../../access/accounts.ts";
import type { Actor } from "../../access/actor.ts";
import { openIdPaths } from "../../access/openid/openid-login.ts";
import type { OwnSession } from "../../access/sessions.ts";
import type { Session } from "../../contract/access.ts";
import { hasAdministrator } from "../../store/roles.ts";
import { findUser } from "../../store/users.ts";
import type { Handlers, Origin } from "../call.ts";

/** What people have to know before they log in. */
export interface LoginOptions {
  readonly version: string;
  /** The address for --connect. */
  readonly flux: string;
}

/** Logs in and out. */
export function loginHandlers(
  access: Access,
  { version, flux }: LoginOptions,
): Pick<
  Handlers,
  "about" | "loginOptions" | "logIn" | "session" | "logOut" | "acceptInvitation" | "changePassword"
> {
  const { accounts, invitations, sessions, gate, connection } = access;
  return {
    about: () => Promise.resolve({ version, flux }),
    loginOptions: async () => ({
      passwords: access.hasPasswords,
      openId: access.openId?.description ?? null,
      firstAdministrator: !(await hasAdministrator(connection)),
    }),
    logIn: async ({ actor, body, origin, setSession, audit, signal }) => {
      const note = (login: string): void => audit({ subject: login });
      const begun = await accounts.logIn(body, visitor(origin, actor), { signal, note });
      audit({ actor: begun.actor, detail: { method: "password" } });
      setSession(begun.secret);
      return answeredSession(access, begun);
    },
    session: async ({ actor }) => {
      const own = gate.sessionOf(requireSession(actor));
      if (own === undefined) {
        throw new Error("a request with a session has none");
      }
      return answeredSession(access, own);
    },
    logOut: async ({ actor, setSession, audit }) => {
      const { credentialId, userId } = requireSession(actor);
      audit({ subject: credentialId });
      await sessions.end(connection, { id: credentialId }, userId);
      setSession(undefined);
    },
    acceptInvitation: async ({ actor, body, origin, setSession, audit, signal }) => {
      const begun = await invitations.accept(body, visitor(origin, actor), signal);
      audit({ actor: begun.actor, subject: begun.actor.name });
      setSession(begun.secret);
      return answeredSession(access, begun);
    },
    changePassword: async ({ actor, body, signal }) => {
      await accounts.changePassword(actor, body, signal);
    },
  };
}

function visitor(origin: Origin, before: Actor | undefined): Visitor {
  return { ...origin, before };
}

async function answeredSession(
  { connection }: Access,
  { actor, csrfToken, expiresAt, method }: OwnSession,
): Promise<Session> {
  const user = await findUser(connection, actor.userId);
  return {
    user: { id: actor.userId, login: actor.name, name: user?.name ?? "" },
    grants: actor.grants.map((grant) => ({ ...grant })),
    csrfToken,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(method === "oidc" ? { logoutPath: openIdPaths.logout } : {}),
  };
}
