import type { RoleName } from "./access.ts";

/** Who may call an operation. */
export type Needs = "nobody" | "anybody-logged-in" | RoleName;

/** Where an operation is found, and who may call it. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below /api/console/v1, with parameters in braces. */
  readonly path: string;
  readonly needs: Needs;
  /**
   * A role has to be one for all that the operation could concern: the whole instance in its path, or everything without
   * one. With this, a role for any part of that suffices: the handler itself narrows what is done and answered.
   */
  readonly forPart?: boolean;
  /** What it does, in a line. */
  readonly summary: string;
}

/**
 * Every operation of the REST API by its name; streams and pages aren't among them. Needs nothing at run time, so that
 * the page can use it.
 */
export const routes = {
  about: {
    method: "GET",
    path: "/about",
    needs: "nobody",
    summary: "The version of the console, and what it offers.",
  },
  loginOptions: { method: "GET", path: "/login-options", needs: "nobody", summary: "The ways to log in." },
  logIn: { method: "POST", path: "/session", needs: "nobody", summary: "Logs in with a password." },
  session: {
    method: "GET",
    path: "/session",
    needs: "anybody-logged-in",
    summary: "Who is logged in, and with which roles.",
  },
  logOut: { method: "DELETE", path: "/session", needs: "anybody-logged-in", summary: "Logs out." },
  acceptInvitation: {
    method: "POST",
    path: "/invitations/accept",
    needs: "nobody",
    summary: "Makes an account, or sets a password, with a link that works once.",
  },
  changePassword: {
    method: "PUT",
    path: "/session/password",
    needs: "anybody-logged-in",
    summary: "Changes one's own password, and ends all other sessions.",
  },
  ownSessions: {
    method: "GET",
    path: "/session/all",
    needs: "anybody-logged-in",
    summary: "One's own sessions.",
  },
  endSession: {
    method: "DELETE",
    path: "/session/all/{session}",
    needs: "anybody-logged-in",
    summary: "Ends one of one's own sessions.",
  },
  apiTokens: { method: "GET", path: "/tokens", needs: "anybody-logged-in", summary: "One's own tokens." },
  createApiToken: {
    method: "POST",
    path: "/tokens",
    needs: "anybody-logged-in",
    summary: "Makes a token with at most one's own rights.",
  },
  revokeApiToken: {
    method: "DELETE",
    path: "/tokens/{token}",
    needs: "anybody-logged-in",
    summary: "Ends a token at once.",
  },
  users: { method: "GET", path: "/users", needs: "administrator", summary: "All users." },
  changeUser: {
    method: "PATCH",
    path: "/users/{user}",
    needs: "administrator",
    summary: "Disables a user, or allows one again; disabling ends all sessions and tokens.",
  },
  endUserSessions: {
    method: "DELETE",
    path: "/users/{user}/sessions",
    needs: "administrator",
    summary: "Ends all sessions of a user.",
  },
  invite: {
    method: "POST",
    path: "/invitations",
    needs: "administrator",
    forPart: true,
    summary: "Makes a link with which one person can make an account.",
  },
  invitations: {
    method: "GET",
    path: "/invitations",
    needs: "administrator",
    forPart: true,
    summary: "The links that still work, for accounts and passwords, and that one may take back.",
  },
  removeInvitation: {
    method: "DELETE",
    path: "/invitations/{invitation}",
    needs: "administrator",
    forPart: true,
    summary: "Takes a link back.",
  },
  userTokens: {
    method: "GET",
    path: "/users/{user}/tokens",
    needs: "administrator",
    summary: "The API tokens of a user.",
  },
  revokeUserToken: {
    method: "DELETE",
    path: "/users/{user}/tokens/{token}",
    needs: "administrator",
    summary: "Ends an API token of a user at once.",
  },
  resetPassword: {
    method: "POST",
    path: "/users/{user}/invitation",
    needs: "administrator",
    summary: "Makes a link with which a user can set a new password.",
  },
  roles: {
    method: "GET",
    path: "/roles",
    needs: "administrator",
    forPart: true,
    summary: "Who has which role.",
  },
  addRole: {
    method: "POST",
    path: "/roles",
    needs: "administrator",
    forPart: true,
    summary: "Gives a role to a user or a group.",
  },
  removeRole: {
    method: "DELETE",
    path: "/roles/{role}",
    needs: "administrator",
    forPart: true,
    summary: "Takes a role away.",
  },
  approvalRules: {
    method: "GET",
    path: "/approval-rules",
    needs: "administrator",
    forPart: true,
    summary: "Where changes need a second person.",
  },
  addApprovalRule: {
    method: "POST",
    path: "/approval-rules",
    needs: "administrator",
    forPart: true,
    summary: "Lets changes need a second person.",
  },
  removeApprovalRule: {
    method: "DELETE",
    path: "/approval-rules/{rule}",
    needs: "administrator",
    forPart: true,
    summary: "Lets changes need no second person.",
  },
  audit: {
    method: "GET",
    path: "/audit",
    needs: "administrator",
    forPart: true,
    summary: "What was done by whom, newest first.",
  },
  instances: {
    method: "GET",
    path: "/instances",
    needs: "viewer",
    forPart: true,
    summary: "The instances that one may see.",
  },
  createInstance: {
    method: "POST",
    path: "/instances",
    needs: "administrator",
    summary: "Makes an instance and its token.",
  },
  instance: {
    method: "GET",
    path: "/instances/{instance}",
    needs: "viewer",
    forPart: true,
    summary: "One instance.",
  },
  changeInstance: {
    method: "PATCH",
    path: "/instances/{instance}",
    needs: "administrator",
    summary: "Renames or describes an instance.",
  },
  removeInstance: {
    method: "DELETE",
    path: "/instances/{instance}",
    needs: "administrator",
    summary: "Removes an instance with everything that's stored of it.",
  },
  renewToken: {
    method: "POST",
    path: "/instances/{instance}/token",
    needs: "administrator",
    summary: "Makes a new token; the one before ends at once.",
  },
  suspend: {
    method: "PUT",
    path: "/instances/{instance}/suspension",
    needs: "operator",
    summary: "Suspends the syncs of an instance, or resumes them.",
  },
  blockers: {
    method: "GET",
    path: "/instances/{instance}/blockers",
    needs: "viewer",
    forPart: true,
    summary: "What keeps a sync from happening.",
  },
  drift: {
    method: "GET",
    path: "/instances/{instance}/drift",
    needs: "viewer",
    forPart: true,
    summary: "What in the cluster isn't as in git.",
  },
  workloads: {
    method: "GET",
    path: "/workloads",
    needs: "viewer",
    forPart: true,
    summary: "The workloads that one may see.",
  },
  workloadFacets: {
    method: "GET",
    path: "/workload-facets",
    needs: "viewer",
    forPart: true,
    summary: "What a list of workloads can be narrowed to.",
  },
  workload: {
    method: "GET",
    path: "/instances/{instance}/workloads/{workload}",
    needs: "viewer",
    forPart: true,
    summary: "One workload.",
  },
  workloadImages: {
    method: "GET",
    path: "/instances/{instance}/workloads/{workload}/images",
    needs: "viewer",
    forPart: true,
    summary: "The images that its containers could run.",
  },
  why: {
    method: "GET",
    path: "/instances/{instance}/workloads/{workload}/why",
    needs: "viewer",
    forPart: true,
    summary: "Why automation does or doesn't update it.",
  },
  tree: {
    method: "GET",
    path: "/instances/{instance}/workloads/{workload}/tree",
    needs: "viewer",
    forPart: true,
    summary: "What it owns, with health.",
  },
  comparison: {
    method: "GET",
    path: "/instances/{instance}/workloads/{workload}/comparison",
    needs: "viewer",
    forPart: true,
    summary: "It in git, in the cluster, and after the next sync.",
  },
  workloadHistory: {
    method: "GET",
    path: "/instances/{instance}/workloads/{workload}/history",
    needs: "viewer",
    forPart: true,
    summary:
      "Who changed a workload in git, newest first, also before the console knew it; asks Weir's daemon.",
  },
  plan: {
    method: "POST",
    path: "/instances/{instance}/plans",
    needs: "viewer",
    forPart: true,
    summary: "What a job would do; changes nothing.",
  },
  createJob: {
    method: "POST",
    path: "/instances/{instance}/jobs",
    needs: "operator",
    forPart: true,
    summary: "Requests a change.",
  },
  jobs: { method: "GET", path: "/jobs", needs: "viewer", forPart: true, summary: "Jobs, newest first." },
  job: { method: "GET", path: "/jobs/{job}", needs: "viewer", forPart: true, summary: "One job." },
  decideJob: {
    method: "POST",
    path: "/jobs/{job}/decision",
    needs: "operator",
    forPart: true,
    summary: "Approves or rejects what somebody else requested.",
  },
  cancelJob: {
    method: "DELETE",
    path: "/jobs/{job}",
    needs: "operator",
    forPart: true,
    summary: "Cancels a job that hasn't been sent.",
  },
  events: {
    method: "GET",
    path: "/events",
    needs: "viewer",
    forPart: true,
    summary: "What happened.",
  },
  event: {
    method: "GET",
    path: "/events/{event}",
    needs: "viewer",
    forPart: true,
    summary: "One thing that happened.",
  },
  channels: {
    method: "GET",
    path: "/notifications/channels",
    needs: "administrator",
    summary: "Where notifications go.",
  },
  createChannel: {
    method: "POST",
    path: "/notifications/channels",
    needs: "administrator",
    summary: "Adds a channel.",
  },
  changeChannel: {
    method: "PATCH",
    path: "/notifications/channels/{channel}",
    needs: "administrator",
    summary: "Changes a channel.",
  },
  removeChannel: {
    method: "DELETE",
    path: "/notifications/channels/{channel}",
    needs: "administrator",
    summary: "Removes a channel and its rules.",
  },
  testChannel: {
    method: "POST",
    path: "/notifications/channels/{channel}/test",
    needs: "administrator",
    summary: "Sends a sample, and tells what the service answered.",
  },
  trySettings: {
    method: "POST",
    path: "/notifications/test",
    needs: "administrator",
    summary:
      "Sends a sample with settings of a channel that isn't stored, and tells what the service answered.",
  },
  testRule: {
    method: "POST",
    path: "/notifications/rules/{rule}/test",
    needs: "administrator",
    summary:
      "Sends a sample with the templates of a rule through its channel, and tells what the service answered.",
  },
  rules: {
    method: "GET",
    path: "/notifications/rules",
    needs: "administrator",
    summary: "Which events go where.",
  },
  createRule: {
    method: "POST",
    path: "/notifications/rules",
    needs: "administrator",
    summary: "Adds a rule.",
  },
  changeRule: {
    method: "PATCH",
    path: "/notifications/rules/{rule}",
    needs: "administrator",
    summary: "Changes a rule.",
  },
  removeRule: {
    method: "DELETE",
    path: "/notifications/rules/{rule}",
    needs: "administrator",
    summary: "Removes a rule.",
  },
  deliveries: {
    method: "GET",
    path: "/notifications/deliveries",
    needs: "administrator",
    summary: "What was sent, and what couldn't be.",
  },
} as const satisfies Readonly<Record<string, Route>>;

export type OperationName = keyof typeof routes;

/** The names of the parameters in a path. */
type ParametersIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersIn<Rest>
  : never;

/** The parameters in the path of an operation, not escaped. */
export type PathParameters<Name extends OperationName> = Readonly<
  Record<ParametersIn<(typeof routes)[Name]["path"]>, string>
>;
