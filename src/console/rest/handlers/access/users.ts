import type { Access } from "../../../access/access.ts";
import type { Link } from "../../../access/invitations.ts";
import type { User as AnsweredUser } from "../../../contract/access.ts";
import { listUsers, type User } from "../../../store/users.ts";
import type { Handlers } from "../../call.ts";
import { answeredPage, answeredTime, pageRequest } from "../page.ts";

/** Users, and links that make them. */
export function userHandlers({
  connection,
  administration,
  invitations,
}: Access): Pick<Handlers, "users" | "changeUser" | "endUserSessions" | "invite" | "resetPassword"> {
  return {
    users: async ({ query }) => {
      const page = pageRequest({ ...query, sort: "login" }, { login: ["login", "ascending"] });
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
    resetPassword: async ({ actor, path, audit }) => {
      const link = await invitations.resetPassword(actor, path.user);
      audit({ subject: link.login });
      return answeredLink(link);
    },
  };
}

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

function answeredLink({ id, path, expiresAt }: Link): { id: string; path: string; expiresAt: string } {
  return { id, path, expiresAt: answeredTime(expiresAt) };
}
