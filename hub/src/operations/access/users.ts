import type { Access } from "../../access/access.ts";
import type { Link } from "../../access/invitations.ts";
import type { Invitation as AnsweredInvitation, User as AnsweredUser } from "../../contract/access.ts";
import type { NamedInvitation } from "../../store/invitations.ts";
import { listUsers, type User } from "../../store/users.ts";
import type { Handlers } from "../call.ts";
import { answeredPage, answeredTime, pageRequest } from "../page.ts";
import { answeredToken } from "./own.ts";

type Names =
  | "users"
  | "changeUser"
  | "endUserSessions"
  | "invite"
  | "invitations"
  | "removeInvitation"
  | "userTokens"
  | "revokeUserToken"
  | "resetPassword";

/** Users, their tokens, and links that make them. */
export function userHandlers({
  connection,
  administration,
  invitations,
  tokens,
}: Access): Pick<Handlers, Names> {
  return {
    users: async ({ query }) => {
      const page = pageRequest(query, sorts);
      return answeredPage(await listUsers(connection, { search: query.q }, page), answeredUser);
    },
    changeUser: async ({ actor, path, body, audit }) => {
      audit({ detail: { disabled: body.disabled } });
      const user = await administration.setDisabled(actor, path.user, body.disabled);
      audit({ subject: user.login });
      return answeredUser(user);
    },
    endUserSessions: async ({ actor, path, audit }) => {
      const { login } = await administration.endSessions(actor, path.user);
      audit({ subject: login });
    },
    invite: async ({ actor, body, audit }) => {
      const roles = body.grants.map(({ role, instanceId, namespace }) => ({ role, instanceId, namespace }));
      audit({ subject: body.login, detail: { roles } });
      return answeredLink(await invitations.invite(actor, body));
    },
    invitations: async ({ actor }) => ({ rows: (await invitations.list(actor)).map(answeredInvitation) }),
    removeInvitation: async ({ actor, path, audit }) => {
      const { purpose, login, userLogin } = await invitations.remove(actor, path.invitation);
      audit({ subject: login || userLogin, detail: { purpose } });
    },
    userTokens: async ({ actor, path }) => ({
      rows: (await tokens.listOf(actor, path.user)).map(answeredToken),
    }),
    revokeUserToken: async ({ actor, path, audit }) => {
      const { token, user } = await tokens.revokeOf(actor, { userId: path.user, id: path.token });
      audit({ subject: user.login, detail: { token: token.name } });
    },
    resetPassword: async ({ actor, path, audit }) => {
      const link = await invitations.resetPassword(actor, path.user);
      audit({ subject: link.login });
      return answeredLink(link);
    },
  };
}

const sorts = {
  login: ["login", "ascending"],
  "-login": ["login", "descending"],
  name: ["name", "ascending"],
  "-name": ["name", "descending"],
  createdAt: ["createdAt", "ascending"],
  "-createdAt": ["createdAt", "descending"],
  lastLoginAt: ["lastLogin", "ascending"],
  "-lastLoginAt": ["lastLogin", "descending"],
} as const;

function answeredUser(stored: User): AnsweredUser {
  return {
    id: stored.id,
    login: stored.login,
    name: stored.name,
    email: stored.email,
    groups: [...stored.groups],
    createdAt: answeredTime(stored.createdAt),
    lastLoginAt: answeredTime(stored.lastLoginAt),
    disabledAt: answeredTime(stored.disabledAt),
  };
}

function answeredInvitation(stored: NamedInvitation): AnsweredInvitation {
  const { id, purpose, login, userLogin, roles, maker } = stored;
  return {
    ...{ id, purpose, login: login || userLogin, createdBy: maker },
    grants: roles.map(({ role, instanceId, namespace }) => ({ role, instanceId, namespace })),
    createdAt: answeredTime(stored.createdAt),
    expiresAt: answeredTime(stored.expiresAt),
  };
}

function answeredLink({ id, path, expiresAt }: Link): { id: string; path: string; expiresAt: string } {
  return { id, path, expiresAt: answeredTime(expiresAt) };
}
