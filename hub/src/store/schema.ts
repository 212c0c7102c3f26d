import type { JsonValue } from "@weir/base";
import type { ColumnType, Generated, Kysely } from "kysely";
import type { JobState } from "./job-states.ts";

/**
 * The tables of the console, as its queries see them: migrations/ makes them, with names in snake case. Times are Dates;
 * lists and JSON are what they were when they were stored, where JSON is written as text.
 */
export interface Tables {
  consoles: ConsoleRow;
  instances: InstanceRow;
  instanceState: InstanceStateRow;
  workloads: WorkloadRow;
  events: EventRow;
  dispatchProgress: DispatchProgressRow;
  jobs: JobRow;
  users: UserRow;
  identities: IdentityRow;
  passwords: PasswordRow;
  sessions: SessionRow;
  oidcLogins: OidcLoginRow;
  invitations: InvitationRow;
  roles: RoleRow;
  apiTokens: ApiTokenRow;
  approvalRules: ApprovalRuleRow;
  rateLimits: RateLimitRow;
  settings: SettingRow;
  audit: AuditRow;
  notificationChannels: NotificationChannelRow;
  notificationRules: NotificationRuleRow;
  notificationOutbox: NotificationOutboxRow;
  busPayloads: BusPayloadRow;
}

/** The database, or a transaction of it: what every function of the store takes first. */
export type Connection = Kysely<Tables>;

/** A JSON column: a value when it's read, its text when it's written. */
type Json<T> = ColumnType<T, string, string>;

type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** A column with which rows are created, and which never changes. */
type Fixed<T> = ColumnType<T, T, never>;

/** What the database makes of other columns, to search in. */
type Search = ColumnType<string, never, never>;

interface ConsoleRow {
  id: Fixed<string>;
  /** Where other consoles reach it. */
  address: string;
  version: string;
  startedAt: Fixed<Date>;
  heartbeatAt: Date;
}

interface InstanceRow {
  id: Fixed<string>;
  name: string;
  description: string;
  /** The SHA-256 of its token, in hex; null if it has none any more. */
  tokenHash: string | null;
  createdAt: Fixed<Date>;
  removedAt: Date | null;
}

/** Whose daemon it is: genuine Flux v1 or Weir's. */
export type DaemonKind = "flux" | "weir";

/** How an instance's last sync went. */
export type SyncState = "unknown" | "synced" | "behind" | "failed";

/** What's written often. A lease is one connection of the daemon, to one console. */
interface InstanceStateRow {
  instanceId: Fixed<string>;
  connected: Generated<boolean>;
  consoleId: string | null;
  leaseId: string | null;
  connectedAt: Date | null;
  lastSeenAt: Date | null;
  daemonVersion: Generated<string>;
  userAgent: Generated<string>;
  protocol: Generated<string>;
  kind: Generated<DaemonKind>;
  /** Without credentials. */
  gitUrl: Generated<string>;
  gitBranch: Generated<string>;
  gitPath: Generated<string>;
  gitStatus: Generated<string>;
  syncState: Generated<SyncState>;
  lastSyncRevision: Generated<string>;
  lastSyncAt: Date | null;
  headRevision: Generated<string>;
  /** Whether anything is suspended: syncing, automated updates of images, or both. */
  suspended: Generated<boolean>;
  syncSuspended: Generated<boolean>;
  suspendedReason: Generated<string>;
  /** What's wrong with it, for people; "" for nothing. */
  problem: Generated<string>;
  /** When its workloads were last listed. */
  workloadsAt: Date | null;
  /** When its last connection ended; null if it never had one. */
  disconnectedAt: Date | null;
  /** Since when it has been gone, if an event has said so; null once it's back. */
  goneSince: Date | null;
  /** The last event of its daemon's own log that was taken. */
  eventCursor: Generated<number>;
  /** When connections began to be replaced, one soon after the other, whose daemon was still there; null for none. */
  replacedSince: Date | null;
  replacedAt: Date | null;
  /** Whether two daemons take turns with its token. */
  hasRivals: Generated<boolean>;
}

/** A container of a workload as it's shown in lists. */
export interface StoredContainer {
  readonly name: string;
  /** The image that runs, with its tag. */
  readonly image: string;
  /** The newest image that the tag filter of the container allows; "" if it isn't known. */
  readonly newest: string;
  /** How many images are newer than the one that runs. */
  readonly newer: number;
}

/** The progress of a rollout. */
export interface StoredRollout {
  readonly desired: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly outdated: number;
  readonly messages: readonly string[];
}

/** Whether a workload works, by its status and rollout. */
export type Health = "healthy" | "progressing" | "degraded" | "unknown";

interface WorkloadRow {
  instanceId: Fixed<string>;
  /** As Flux prints it: namespace, kind, and name. */
  id: Fixed<string>;
  namespace: Fixed<string>;
  kind: Fixed<string>;
  name: Fixed<string>;
  status: string;
  health: Health;
  rollout: Json<StoredRollout>;
  ready: number;
  desired: number;
  automated: boolean;
  locked: boolean;
  ignored: boolean;
  lockedReason: string;
  /** Why it can't be changed through git; "" if it can. */
  readOnly: string;
  policies: Json<Readonly<Record<string, string>>>;
  policyNames: readonly string[];
  syncError: string;
  antecedent: string;
  containers: Json<readonly StoredContainer[]>;
  images: readonly string[];
  /** How many of its containers have a newer image. */
  newImages: number;
  changedAt: Date;
  /** A hash of everything above, so that only what changed is written. */
  digest: string;
  /** To search in; see words.ts. */
  words: readonly string[];
  search: Search;
}

/** How much an event matters. */
export type Severity = "info" | "warning" | "error";

interface EventRow {
  /** In the order in which events become visible. */
  id: ColumnType<number, number | undefined, never>;
  instanceId: Fixed<string>;
  /** Flux's types (sync, commit, release, autorelease, …), and the console's own. */
  type: Fixed<string>;
  severity: Fixed<Severity>;
  /** The daemon's time. */
  at: Fixed<Date>;
  receivedAt: Fixed<Date>;
  namespaces: Fixed<readonly string[]>;
  workloadIds: Fixed<readonly string[]>;
  revision: Fixed<string>;
  message: Fixed<string>;
  metadata: ColumnType<JsonValue, string, never>;
  /** The same for an event that is posted again after its answer was lost. */
  fingerprint: Fixed<string>;
  words: Fixed<readonly string[]>;
  search: Search;
}

/** The only row. */
interface DispatchProgressRow {
  /** The last event that was compared with the rules of notifications, as all before it were. */
  lastEventId: number;
}

/** What a job does. */
export type JobKind = "release" | "policy" | "sync" | "undo" | "take-over";

interface JobRow {
  id: Fixed<string>;
  instanceId: Fixed<string>;
  idempotencyKey: Fixed<string>;
  kind: Fixed<JobKind>;
  /** What was asked for. */
  request: ColumnType<JsonValue, string, never>;
  state: JobState;
  /** What the daemon is sent: exactly what was planned for the request. */
  spec: ColumnType<JsonValue, string, never>;
  workloadIds: Fixed<readonly string[]>;
  /** Of everything that it changes; none if that's not limited to namespaces. */
  namespaces: Fixed<readonly string[]>;
  /** What it does, in a line. */
  summary: Fixed<string>;
  /** What was shown before it was requested, and is approved. */
  plan: ColumnType<JsonValue, string | null | undefined, never>;
  /** "" if there was no plan. */
  planDigest: Fixed<string>;
  /** True if it does what its plan says, or nothing. */
  exact: Generated<boolean>;
  requestedBy: string | null;
  requestedByName: Fixed<string>;
  /** The API token with which it was requested; null for a session. */
  requestedTokenId: Fixed<string | null>;
  requestedAt: Fixed<Date>;
  /** The second person, who approved or rejected it. */
  decidedBy: string | null;
  decidedByName: string;
  decidedTokenId: string | null;
  decidedAt: Date | null;
  decisionComment: string;
  /** The console that sends it, and the connection over which it does. */
  claimedBy: string | null;
  leaseId: string | null;
  sentAt: Date | null;
  /** "" until the daemon has answered. */
  daemonJobId: string;
  endedAt: Date | null;
  revision: string;
  result: NullableJson<JsonValue>;
  error: string;
}

interface UserRow {
  id: Fixed<string>;
  login: string;
  name: string;
  email: string;
  /** As the identity provider named them at the last login. */
  groups: readonly string[];
  /** Until when they count; then the provider has to name them again. Null before the first login there. */
  groupsUntil: Date | null;
  createdAt: Fixed<Date>;
  disabledAt: Date | null;
  lastLoginAt: Date | null;
}

/** A user as an OpenID Connect provider knows it. */
interface IdentityRow {
  issuer: Fixed<string>;
  subject: Fixed<string>;
  userId: Fixed<string>;
  email: string;
  createdAt: Fixed<Date>;
  lastLoginAt: Date;
}

interface PasswordRow {
  userId: Fixed<string>;
  /** With its algorithm, parameters, and salt. */
  hash: string;
  changedAt: Date;
}

interface SessionRow {
  id: Fixed<string>;
  userId: Fixed<string>;
  tokenHash: Fixed<string>;
  method: Fixed<"password" | "oidc" | "invitation">;
  address: Fixed<string>;
  userAgent: Fixed<string>;
  createdAt: Fixed<Date>;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** A login that was sent to the identity provider and hasn't come back. */
interface OidcLoginRow {
  stateHash: Fixed<string>;
  /** The hash of a cookie, so that only the browser that began can finish. */
  browserHash: Fixed<string>;
  returnTo: Fixed<string>;
  createdAt: Fixed<Date>;
  expiresAt: Fixed<Date>;
}

/** What a role permits. */
export type RoleName = "viewer" | "operator" | "administrator";

/** A role that an invitation brings; null means all. */
export interface InvitedRole {
  readonly role: RoleName;
  readonly instanceId: string | null;
  readonly namespace: string | null;
}

/** A link that works once. */
interface InvitationRow {
  id: Fixed<string>;
  tokenHash: Fixed<string>;
  purpose: Fixed<"first-administrator" | "new-user" | "new-password">;
  /** Whose password it sets, for "new-password". */
  userId: Fixed<string | null>;
  /** "" if the invited person chooses it. */
  login: Fixed<string>;
  roles: ColumnType<readonly InvitedRole[], string, never>;
  createdBy: string | null;
  createdAt: Fixed<Date>;
  expiresAt: Fixed<Date>;
  usedAt: Date | null;
}

/** Either a user or a group has a role, for one instance or all, and there for one namespace or all. */
interface RoleRow {
  id: Fixed<string>;
  userId: Fixed<string | null>;
  groupName: Fixed<string | null>;
  instanceId: Fixed<string | null>;
  namespace: Fixed<string | null>;
  role: Fixed<RoleName>;
  createdBy: string | null;
  createdAt: Fixed<Date>;
}

interface ApiTokenRow {
  id: Fixed<string>;
  userId: Fixed<string>;
  name: string;
  tokenHash: Fixed<string>;
  scopes: Fixed<readonly string[]>;
  instanceId: Fixed<string | null>;
  namespace: Fixed<string | null>;
  createdAt: Fixed<Date>;
  expiresAt: Fixed<Date | null>;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Where changes need a second person; null means everywhere. */
interface ApprovalRuleRow {
  id: Fixed<string>;
  instanceId: Fixed<string | null>;
  namespace: Fixed<string | null>;
  createdBy: string | null;
  createdAt: Fixed<Date>;
}

/** How much of a limit was used, as of a time: a bucket that leaks. */
interface RateLimitRow {
  key: Fixed<string>;
  used: number;
  updatedAt: Date;
}

interface SettingRow {
  key: Fixed<string>;
  value: Json<JsonValue>;
  updatedBy: string | null;
  updatedAt: Date;
}

/** How something ended; "begun" as long as nobody has said, for good if the console died meanwhile. */
export type AuditOutcome = "begun" | "done" | "refused" | "failed";

interface AuditRow {
  id: ColumnType<number, number | undefined, never>;
  at: Fixed<Date>;
  actorKind: "user" | "token" | "instance" | "console";
  actorId: string;
  actorName: string;
  /** Such as `session.create` or `workload.release`. */
  action: Fixed<string>;
  outcome: AuditOutcome;
  instanceId: string | null;
  namespace: string | null;
  /** What it was done to. */
  subject: string;
  detail: Json<JsonValue>;
  address: Fixed<string>;
  words: readonly string[];
  search: Search;
}

interface NotificationChannelRow {
  id: Fixed<string>;
  name: string;
  /** Which service, and how it's reached. */
  kind: Fixed<string>;
  /** All but the secrets; their form depends on the kind. */
  settings: Json<JsonValue>;
  /** The secret ones, encrypted; "" if there are none. */
  secret: string;
  enabled: boolean;
  createdBy: Fixed<string | null>;
  createdAt: Fixed<Date>;
  updatedAt: Date;
  /** Whoever sends through it now; void after `claimedUntil`. */
  claimedBy: string | null;
  claimedUntil: Date | null;
  /** How often in a row it was unavailable, and when to try again. */
  failures: number;
  retryAt: Date | null;
  lastSentAt: Date | null;
  /** Why the last message wasn't delivered; "" if it was. */
  lastError: string;
  lastErrorAt: Date | null;
}

/** Which events go to a channel. Empty lists mean all; in patterns, `*` stands for any characters. */
interface NotificationRuleRow {
  id: Fixed<string>;
  name: string;
  enabled: boolean;
  channelId: string;
  /** IDs, or patterns of names. */
  instances: readonly string[];
  namespaces: readonly string[];
  eventTypes: readonly string[];
  severities: readonly Severity[];
  /** Templates; "" for the usual ones. */
  title: string;
  body: string;
  /** What events that are reported together have in common. */
  groupBy: readonly string[];
  /** How long to collect them. */
  groupSeconds: number;
  createdBy: Fixed<string | null>;
  createdAt: Fixed<Date>;
  updatedAt: Date;
}

/** A message, which takes in more events of its group until somebody first tries to send it. */
interface NotificationOutboxRow {
  id: Fixed<string>;
  channelId: Fixed<string>;
  ruleId: Fixed<string>;
  groupKey: Fixed<string>;
  /** Oldest first. */
  eventIds: readonly number[];
  /** "pending" until it was sent, or was given up. */
  state: "pending" | "sent" | "failed";
  attempts: number;
  dueAt: Date;
  createdAt: Fixed<Date>;
  endedAt: Date | null;
  /** What the service answered, or why it was given up. */
  result: string;
}

interface BusPayloadRow {
  id: ColumnType<number, number | undefined, never>;
  body: Fixed<string>;
  createdAt: Fixed<Date>;
}
