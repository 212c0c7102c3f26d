import * as z from "zod";
import { anyJson, id, page, paging, shortName, time } from "./common.ts";

export const roleName = z.enum(["viewer", "operator", "administrator"]);

/** A role: for one instance or all (null), and there for one namespace or all (null). */
export const grant = z.object({
  role: roleName,
  instanceId: id.nullable(),
  namespace: z.string().max(253).nullable(),
});

export const grants = z.array(grant).max(100);

const password = z.string().min(12).max(1_000);

/** Who is logged in. */
export const session = z.object({
  user: z.object({ id, login: z.string(), name: z.string() }),
  grants,
  csrfToken: z
    .string()
    .meta({ description: "To be sent as X-CSRF-Token with each request that changes something." }),
  expiresAt: time,
  logoutPath: z
    .string()
    .optional()
    .meta({ description: "Where to go after logging out, to log out at the identity provider too." }),
});

export const loginOptions = z.object({
  passwords: z.boolean(),
  openId: z.object({ name: z.string(), path: z.string() }).nullable(),
  firstAdministrator: z
    .boolean()
    .meta({ description: "Nobody has an account yet: the log has a link that makes one." }),
});

export const login = z.object({ login: z.string().min(1).max(200), password: z.string().min(1).max(1_000) });

export const acceptInvitation = z.object({
  token: z.string().min(1).max(200),
  login: z.string().trim().min(1).max(200).optional(),
  name: z.string().trim().max(200).default(""),
  password,
});

export const passwordChange = z.object({ current: z.string().min(1).max(1_000), next: password });

export const user = z.object({
  id,
  login: z.string(),
  name: z.string(),
  email: z.string(),
  groups: z.array(z.string()),
  createdAt: time,
  lastLoginAt: time.nullable(),
  disabledAt: time.nullable(),
});

export const userQuery = z.object({
  ...paging,
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Words to search for in logins, names, and emails." }),
  sort: z
    .enum(["login", "-login", "name", "-name", "createdAt", "-createdAt", "lastLoginAt", "-lastLoginAt"])
    .default("login"),
});
export const users = page(user);
export const userChange = z.object({ disabled: z.boolean() });

export const newInvitation = z.object({ login: z.string().trim().max(200).default(""), grants });
/** An invitation; its link is never shown again. */
export const createdInvitation = z.object({ id, path: z.string(), expiresAt: time });

/** A link that still works; its text isn't known any more. */
export const invitation = z.object({
  id,
  purpose: z.enum(["first-administrator", "new-user", "new-password"]),
  login: z
    .string()
    .meta({ description: "Whose account it makes or changes; empty if they choose the name." }),
  grants,
  createdBy: z.string(),
  createdAt: time,
  expiresAt: time,
});

export const invitations = z.object({ rows: z.array(invitation) });

/** Who has a role. */
export const role = grant.extend({
  id,
  userId: id.nullable(),
  login: z.string().nullable().meta({ description: "The user's; null for a group." }),
  group: z.string().nullable(),
  createdAt: time,
});

export const roles = z.object({ rows: z.array(role) });

export const newRole = grant
  .extend({ userId: id.optional(), group: z.string().min(1).max(200).optional() })
  .refine(
    ({ userId, group }) => (userId === undefined) !== (group === undefined),
    "either a user or a group",
  );

export const tokenScope = z.enum(["read", "write", "admin"]);

export const apiToken = z.object({
  id,
  name: z.string(),
  scopes: z.array(tokenScope),
  instanceId: id.nullable(),
  namespace: z.string().nullable(),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
});

export const apiTokens = z.object({ rows: z.array(apiToken) });

export const newApiToken = z.object({
  name: shortName,
  scopes: z.array(tokenScope).min(1),
  instanceId: id.nullable().default(null),
  namespace: z.string().max(253).nullable().default(null),
  expiresAt: time.nullable().default(null),
});

/** A token; the text is never shown again. */
export const createdApiToken = z.object({ token: apiToken, secret: z.string() });

export const openSession = z.object({
  id,
  current: z.boolean(),
  method: z.string(),
  address: z.string(),
  userAgent: z.string(),
  createdAt: time,
  lastUsedAt: time,
});

export const openSessions = z.object({ rows: z.array(openSession) });

export const auditEntry = z.object({
  id: z.number().int(),
  at: time,
  actor: z.object({ kind: z.enum(["user", "token", "instance", "console"]), name: z.string() }),
  action: z.string(),
  outcome: z.enum(["begun", "done", "refused", "failed"]).meta({
    description: "Begun is what isn't over yet, or of which nobody knows how it ended.",
  }),
  instanceId: id.nullable(),
  namespace: z.string().nullable(),
  subject: z.string(),
  detail: anyJson,
  address: z.string(),
});

export const auditQuery = z.object({
  ...paging,
  q: z.string().max(200).optional(),
  action: z.string().max(100).optional(),
  instance: id.optional(),
  since: time.optional(),
  until: time.optional(),
});

export const audit = page(auditEntry);

/** Where changes need a second person. */
export const approvalRule = z.object({ id, instanceId: id.nullable(), namespace: z.string().nullable() });
export const approvalRules = z.object({ rows: z.array(approvalRule) });
export const newApprovalRule = approvalRule.omit({ id: true });

export type Session = z.output<typeof session>;
export type Grant = z.output<typeof grant>;
export type RoleName = z.output<typeof roleName>;
export type Invitation = z.output<typeof invitation>;
export type User = z.output<typeof user>;
export type AuditEntry = z.output<typeof auditEntry>;
