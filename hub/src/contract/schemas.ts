import type * as z from "zod";
import * as about from "./about.ts";
import * as access from "./access.ts";
import * as events from "./events.ts";
import * as instances from "./instances.ts";
import * as jobs from "./jobs.ts";
import * as notifications from "./notifications.ts";
import type { OperationName } from "./routes.ts";
import * as workloads from "./workloads.ts";

/** What a call sends and gets. */
export interface Schemas {
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Without it, the answer has no content. */
  readonly answer?: z.ZodType;
}

/** The schemas of every operation. */
export const schemas = {
  about: { answer: about.about },
  loginOptions: { answer: access.loginOptions },
  logIn: { body: access.login, answer: access.session },
  session: { answer: access.session },
  logOut: {},
  acceptInvitation: { body: access.acceptInvitation, answer: access.session },
  changePassword: { body: access.passwordChange },
  ownSessions: { answer: access.openSessions },
  endSession: {},
  apiTokens: { answer: access.apiTokens },
  createApiToken: { body: access.newApiToken, answer: access.createdApiToken },
  revokeApiToken: {},
  users: { query: access.userQuery, answer: access.users },
  changeUser: { body: access.userChange, answer: access.user },
  endUserSessions: {},
  invite: { body: access.newInvitation, answer: access.createdInvitation },
  invitations: { answer: access.invitations },
  removeInvitation: {},
  userTokens: { answer: access.apiTokens },
  revokeUserToken: {},
  resetPassword: { answer: access.createdInvitation },
  roles: { answer: access.roles },
  addRole: { body: access.newRole, answer: access.role },
  removeRole: {},
  approvalRules: { answer: access.approvalRules },
  addApprovalRule: { body: access.newApprovalRule, answer: access.approvalRule },
  removeApprovalRule: {},
  audit: { query: access.auditQuery, answer: access.audit },
  instances: { query: instances.instanceQuery, answer: instances.instances },
  createInstance: { body: instances.newInstance, answer: instances.createdInstance },
  instance: { answer: instances.instance },
  changeInstance: { body: instances.instanceChange, answer: instances.instance },
  removeInstance: {},
  renewToken: { answer: instances.createdInstance },
  suspend: { body: instances.suspension },
  blockers: { answer: instances.blockers },
  drift: { answer: instances.drifts },
  workloads: { query: workloads.workloadQuery, answer: workloads.workloads },
  workloadFacets: { query: workloads.workloadQuery, answer: workloads.workloadFacets },
  workload: { answer: workloads.workload },
  workloadImages: { answer: workloads.workloadImages },
  why: { answer: workloads.why },
  tree: { answer: workloads.tree },
  comparison: { answer: workloads.comparison },
  workloadHistory: { query: workloads.historyQuery, answer: workloads.workloadHistory },
  plan: { body: jobs.jobSpec, answer: jobs.plan },
  createJob: { body: jobs.newJob, answer: jobs.job },
  jobs: { query: jobs.jobQuery, answer: jobs.jobs },
  job: { answer: jobs.job },
  decideJob: { body: jobs.decision, answer: jobs.job },
  cancelJob: { answer: jobs.job },
  events: { query: events.eventQuery, answer: events.events },
  event: { answer: events.event },
  channels: { answer: notifications.channels },
  createChannel: { body: notifications.newChannel, answer: notifications.channel },
  changeChannel: { body: notifications.channelChange, answer: notifications.channel },
  removeChannel: {},
  testChannel: { answer: notifications.channelTest },
  trySettings: { body: notifications.channelTrial, answer: notifications.channelTest },
  testRule: { answer: notifications.channelTest },
  rules: { answer: notifications.rules },
  createRule: { body: notifications.newRule, answer: notifications.rule },
  changeRule: { body: notifications.ruleChange, answer: notifications.rule },
  removeRule: {},
  deliveries: { query: notifications.deliveryQuery, answer: notifications.deliveries },
} as const satisfies Readonly<Record<OperationName, Schemas>>;

type SchemasOf<Name extends OperationName> = (typeof schemas)[Name];

/** What a handler gets of the query, and what a caller may send. */
export type Query<Name extends OperationName> =
  SchemasOf<Name> extends { readonly query: infer S extends z.ZodType } ? z.output<S> : undefined;
export type SentQuery<Name extends OperationName> =
  SchemasOf<Name> extends { readonly query: infer S extends z.ZodType } ? z.input<S> : undefined;

/** What a handler gets as the body, and what a caller may send. */
export type Body<Name extends OperationName> =
  SchemasOf<Name> extends { readonly body: infer S extends z.ZodType } ? z.output<S> : undefined;
export type SentBody<Name extends OperationName> =
  SchemasOf<Name> extends { readonly body: infer S extends z.ZodType } ? z.input<S> : undefined;

/** What's answered. */
export type Answer<Name extends OperationName> =
  SchemasOf<Name> extends { readonly answer: infer S extends z.ZodType } ? z.output<S> : undefined;
