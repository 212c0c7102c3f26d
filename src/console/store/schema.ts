import type { JsonValue } from "@weir/base";
import type { ColumnType, Generated, Kysely } from "kysely";

/**
 * The tables of the console, as its queries see them: migrations/ makes them. Times are Dates; lists and JSON are what
 * they were when they were stored, where JSON is written as text.
 */
export interface Tables {
  consoles: ConsoleRow;
  instances: InstanceRow;
  instance_state: InstanceStateRow;
  workloads: WorkloadRow;
  events: EventRow;
  jobs: JobRow;
  users: UserRow;
  identities: IdentityRow;
  passwords: PasswordRow;
  sessions: SessionRow;
  oidc_logins: OidcLoginRow;
  invitations: InvitationRow;
  roles: RoleRow;
  api_tokens: ApiTokenRow;
  approval_rules: ApprovalRuleRow;
  rate_limits: RateLimitRow;
  settings: SettingRow;
  audit: AuditRow;
  notification_channels: NotificationChannelRow;
  notification_rules: NotificationRuleRow;
  notification_outbox: NotificationOutboxRow;
  bus_payloads: BusPayloadRow;
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
  started_at: Fixed<Date>;
  heartbeat_at: Date;
}

interface InstanceRow {
  id: Fixed<string>;
  name: string;
  description: string;
  /** The SHA-256 of its token, in hex; null if it has none any more. */
  token_hash: string | null;
  created_at: Fixed<Date>;
  removed_at: Date | null;
}

/** Whose daemon it is: genuine Flux v1 or Weir's. */
export type DaemonKind = "flux" | "weir";

/** How an instance's last sync went. */
export type SyncState = "unknown" | "synced" | "behind" | "failed";

/** What's written often. A lease is one connection of the daemon, to one console. */
interface InstanceStateRow {
  instance_id: Fixed<string>;
  connected: Generated<boolean>;
  console_id: string | null;
  lease_id: string | null;
  connected_at: Date | null;
  last_seen_at: Date | null;
  daemon_version: Generated<string>;
  user_agent: Generated<string>;
  protocol: Generated<string>;
  kind: Generated<DaemonKind>;
  /** Without credentials. */
  git_url: Generated<string>;
  git_branch: Generated<string>;
  git_path: Generated<string>;
  git_status: Generated<string>;
  sync_state: Generated<SyncState>;
  last_sync_revision: Generated<string>;
  last_sync_at: Date | null;
  head_revision: Generated<string>;
  suspended: Generated<boolean>;
  suspended_reason: Generated<string>;
  /** What's wrong with it, for people; "" for nothing. */
  problem: Generated<string>;
  /** When its workloads were last listed. */
  workloads_at: Date | null;
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
  instance_id: Fixed<string>;
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
  locked_reason: string;
  /** Why it can't be changed through git; "" if it can. */
  read_only: string;
  policies: Json<Readonly<Record<string, string>>>;
  policy_names: readonly string[];
  sync_error: string;
  antecedent: string;
  containers: Json<readonly StoredContainer[]>;
  images: readonly string[];
  /** How many of its containers have a newer image. */
  new_images: number;
  changed_at: Date;
  /** A hash of everything above, so that only what changed is written. */
  digest: string;
  words: string;
  search: Search;
}

/** How much an event matters. */
export type Severity = "info" | "warning" | "error";

interface EventRow {
  /** In the order in which events become visible. */
  id: ColumnType<number, number | undefined, never>;
  instance_id: Fixed<string>;
  /** Flux's types (sync, commit, release, autorelease, …), and the console's own. */
  type: Fixed<string>;
  severity: Fixed<Severity>;
  /** The daemon's time. */
  at: Fixed<Date>;
  received_at: Fixed<Date>;
  namespaces: Fixed<readonly string[]>;
  workload_ids: Fixed<readonly string[]>;
  revision: Fixed<string>;
  message: Fixed<string>;
  metadata: ColumnType<JsonValue, string, never>;
  /** The same for an event that is posted again after its answer was lost. */
  fingerprint: Fixed<string>;
  /** When it was compared with the rules of notifications; null until then. */
  dispatched_at: Date | null;
  words: Fixed<string>;
  search: Search;
}

/** What a job does. */
export type JobKind = "release" | "policy" | "sync" | "undo" | "automate";

/**
 * Where a job is. It's "sent" from the moment before the daemon is asked until it answers; if the answer never comes, the
 * job is "lost" until its result is found. A job that was sent is never sent again.
 */
export type JobState =
  | "waiting-for-approval"
  | "queued"
  | "sent"
  | "running"
  | "succeeded"
  | "failed"
  | "lost"
  | "rejected"
  | "cancelled";

interface JobRow {
  id: Fixed<string>;
  instance_id: Fixed<string>;
  idempotency_key: Fixed<string>;
  kind: Fixed<JobKind>;
  state: JobState;
  spec: ColumnType<JsonValue, string, never>;
  workload_ids: Fixed<readonly string[]>;
  namespaces: Fixed<readonly string[]>;
  /** What it does, in a line. */
  summary: Fixed<string>;
  /** What was shown before it was requested, and is approved. */
  plan: ColumnType<JsonValue, string | null | undefined, never>;
  /** "" if there was no plan. */
  plan_digest: Fixed<string>;
  requested_by: string | null;
  requested_by_name: Fixed<string>;
  requested_at: Fixed<Date>;
  /** The second person, who approved or rejected it. */
  decided_by: string | null;
  decided_by_name: string;
  decided_at: Date | null;
  decision_comment: string;
  /** The console that sends it, and the connection over which it does. */
  claimed_by: string | null;
  lease_id: string | null;
  sent_at: Date | null;
  /** "" until the daemon has answered. */
  daemon_job_id: string;
  ended_at: Date | null;
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
  created_at: Fixed<Date>;
  disabled_at: Date | null;
  last_login_at: Date | null;
}

/** A user as an OpenID Connect provider knows it. */
interface IdentityRow {
  issuer: Fixed<string>;
  subject: Fixed<string>;
  user_id: Fixed<string>;
  email: string;
  created_at: Fixed<Date>;
  last_login_at: Date;
}

interface PasswordRow {
  user_id: Fixed<string>;
  /** With its algorithm, parameters, and salt. */
  hash: string;
  changed_at: Date;
}

interface SessionRow {
  id: Fixed<string>;
  user_id: Fixed<string>;
  token_hash: Fixed<string>;
  csrf_secret: Fixed<string>;
  method: Fixed<"password" | "oidc" | "invitation">;
  address: Fixed<string>;
  user_agent: Fixed<string>;
  created_at: Fixed<Date>;
  last_used_at: Date;
  expires_at: Date;
}

/** A login that was sent to the identity provider and hasn't come back. */
interface OidcLoginRow {
  state_hash: Fixed<string>;
  /** The hash of a cookie, so that only the browser that began can finish. */
  browser_hash: Fixed<string>;
  nonce: Fixed<string>;
  code_verifier: Fixed<string>;
  return_to: Fixed<string>;
  created_at: Fixed<Date>;
  expires_at: Fixed<Date>;
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
  token_hash: Fixed<string>;
  purpose: Fixed<"first-administrator" | "new-user" | "new-password">;
  /** Whose password it sets, for "new-password". */
  user_id: Fixed<string | null>;
  /** "" if the invited person chooses it. */
  login: Fixed<string>;
  roles: ColumnType<readonly InvitedRole[], string, never>;
  created_by: string | null;
  created_at: Fixed<Date>;
  expires_at: Fixed<Date>;
  used_at: Date | null;
}

/** Either a user or a group has a role, for one instance or all, and there for one namespace or all. */
interface RoleRow {
  id: Fixed<string>;
  user_id: Fixed<string | null>;
  group_name: Fixed<string | null>;
  instance_id: Fixed<string | null>;
  namespace: Fixed<string | null>;
  role: Fixed<RoleName>;
  created_by: string | null;
  created_at: Fixed<Date>;
}

interface ApiTokenRow {
  id: Fixed<string>;
  user_id: Fixed<string>;
  name: string;
  token_hash: Fixed<string>;
  scopes: Fixed<readonly string[]>;
  instance_id: Fixed<string | null>;
  namespace: Fixed<string | null>;
  created_at: Fixed<Date>;
  expires_at: Fixed<Date | null>;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** Where changes need a second person; null means everywhere. */
interface ApprovalRuleRow {
  id: Fixed<string>;
  instance_id: Fixed<string | null>;
  namespace: Fixed<string | null>;
  created_by: string | null;
  created_at: Fixed<Date>;
}

/** How much of a limit was used, as of a time: a bucket that leaks. */
interface RateLimitRow {
  key: Fixed<string>;
  used: number;
  updated_at: Date;
}

interface SettingRow {
  key: Fixed<string>;
  value: Json<JsonValue>;
  updated_by: string | null;
  updated_at: Date;
}

interface AuditRow {
  id: ColumnType<number, number | undefined, never>;
  at: Fixed<Date>;
  actor_kind: Fixed<"user" | "token" | "instance" | "console">;
  actor_id: Fixed<string>;
  actor_name: Fixed<string>;
  /** Such as `session.create` or `workload.release`. */
  action: Fixed<string>;
  outcome: Fixed<"done" | "refused" | "failed">;
  instance_id: Fixed<string | null>;
  namespace: Fixed<string | null>;
  /** What it was done to. */
  subject: Fixed<string>;
  detail: ColumnType<JsonValue, string, never>;
  address: Fixed<string>;
  words: Fixed<string>;
  search: Search;
}

/** The services to which events are reported. */
export type ChannelKind = "slack" | "teams" | "discord" | "mail" | "webhook" | "github" | "gitlab";

interface NotificationChannelRow {
  id: Fixed<string>;
  name: string;
  kind: Fixed<ChannelKind>;
  /** All but the secret; its form depends on the kind. */
  settings: Json<JsonValue>;
  /** Encrypted; "" if there's none. */
  secret: string;
  enabled: boolean;
  created_by: string | null;
  created_at: Fixed<Date>;
  updated_at: Date;
  last_sent_at: Date | null;
  last_error: string;
  last_error_at: Date | null;
}

/** Which events go to a channel. Empty lists mean all. */
interface NotificationRuleRow {
  id: Fixed<string>;
  name: string;
  enabled: boolean;
  channel_id: string;
  /** IDs of instances. */
  instances: readonly string[];
  namespaces: readonly string[];
  event_types: readonly string[];
  severities: readonly string[];
  /** null for the usual one of the service. */
  template: string | null;
  /** What events that are reported together have in common. */
  group_by: "none" | "instance" | "namespace" | "type" | "revision";
  /** How long to collect them. */
  group_seconds: number;
  created_by: string | null;
  created_at: Fixed<Date>;
  updated_at: Date;
}

interface NotificationOutboxRow {
  id: Fixed<string>;
  channel_id: Fixed<string>;
  /** null for a test. */
  rule_id: Fixed<string | null>;
  instance_id: Fixed<string | null>;
  group_key: Fixed<string>;
  /** The same for what must be sent only once. */
  dedupe_key: Fixed<string>;
  event_ids: readonly number[];
  payload: Json<JsonValue>;
  /** "pending" until it was sent or was given up; a claim that ran out is void. */
  state: "pending" | "sent" | "failed";
  attempts: number;
  due_at: Date;
  claimed_by: string | null;
  claimed_until: Date | null;
  created_at: Fixed<Date>;
  ended_at: Date | null;
  error: string;
}

interface BusPayloadRow {
  id: ColumnType<number, number | undefined, never>;
  body: Fixed<string>;
  created_at: Fixed<Date>;
}
