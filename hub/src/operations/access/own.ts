import type { Access } from "../../access/access.ts";
import { requireSession } from "../../access/accounts.ts";
import type { Answer } from "../../contract/schemas.ts";
import { Problem } from "../../problem/problem.ts";
import type { ApiToken } from "../../store/api-tokens.ts";
import { listSessions } from "../../store/sessions.ts";
import type { Handlers } from "../call.ts";
import { answeredTime } from "../page.ts";

/** One's own sessions and tokens. */
export function ownHandlers(
  access: Access,
): Pick<Handlers, "ownSessions" | "endSession" | "apiTokens" | "createApiToken" | "revokeApiToken"> {
  const { connection, clock, sessions, tokens } = access;
  return {
    ownSessions: async ({ actor }) => {
      const { userId, credentialId } = requireSession(actor);
      const rows = await listSessions(connection, userId, clock.now());
      return {
        rows: rows.map(({ id, method, address, userAgent, createdAt, lastUsedAt }) => ({
          ...{ id, current: id === credentialId, method, address, userAgent },
          createdAt: answeredTime(createdAt),
          lastUsedAt: answeredTime(lastUsedAt),
        })),
      };
    },
    endSession: async ({ actor, path }) => {
      const { userId } = requireSession(actor);
      const own = await listSessions(connection, userId, clock.now());
      if (!own.some(({ id }) => id === path.session)) {
        throw new Problem("not-found", "There's no such session.", {
          advice: "Look at the list of your sessions; it may have ended already.",
        });
      }
      await sessions.end(connection, { id: path.session }, userId);
    },
    apiTokens: async ({ actor }) => ({ rows: (await tokens.list(actor)).map(answeredToken) }),
    createApiToken: async ({ actor, body, audit }) => {
      const expiresAt = body.expiresAt === null ? null : new Date(body.expiresAt);
      const { token, secret } = await tokens.create(actor, { ...body, expiresAt });
      audit({
        subject: token.id,
        ...placeOf(token),
        detail: { name: token.name, scopes: [...token.scopes] },
      });
      return { token: answeredToken(token), secret };
    },
    revokeApiToken: async ({ actor, path, audit }) => {
      const token = await tokens.revoke(actor, path.token);
      audit({ ...placeOf(token), detail: { name: token.name } });
    },
  };
}

function placeOf({ instanceId, namespace }: ApiToken): { instanceId?: string; namespace?: string } {
  return { ...(instanceId === null ? {} : { instanceId }), ...(namespace === null ? {} : { namespace }) };
}

/** A token as it's answered. */
export function answeredToken(stored: ApiToken): Answer<"createApiToken">["token"] {
  const { id, name, scopes, instanceId, namespace } = stored;
  return {
    ...{ id, name, instanceId, namespace },
    scopes: (["read", "write", "admin"] as const).filter((scope) => scopes.includes(scope)),
    createdAt: answeredTime(stored.createdAt),
    expiresAt: answeredTime(stored.expiresAt),
    lastUsedAt: answeredTime(stored.lastUsedAt),
  };
}
