import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Actor, Grant } from "../../../src/access/actor.ts";
import { type OperationName, type Route, routes } from "../../../src/contract/routes.ts";
import { checkMayCall } from "../../../src/operations/may-call.ts";
import { Problem } from "../../../src/problem/problem.ts";

/** Where roles hold that are tried: `prod` is the instance in the path of those operations that have one. */
const places = ["everything", "prod", "prod/shop", "test", "test/shop"] as const;

const roles = ["viewer", "operator", "administrator"] as const;

type Role = (typeof roles)[number];

/** Who may call an operation, besides those with higher roles. */
type Expected = "all" | "logged in" | `${Role} of ${"everything" | "prod" | "prod/shop" | "anything"}`;

/** What's written here is what's meant: a new operation doesn't compile without a line. */
const expected: Readonly<Record<OperationName, Expected>> = {
  about: "all",
  loginOptions: "all",
  logIn: "all",
  acceptInvitation: "all",
  session: "logged in",
  logOut: "logged in",
  changePassword: "logged in",
  ownSessions: "logged in",
  endSession: "logged in",
  apiTokens: "logged in",
  createApiToken: "logged in",
  revokeApiToken: "logged in",
  users: "administrator of everything",
  changeUser: "administrator of everything",
  endUserSessions: "administrator of everything",
  resetPassword: "administrator of everything",
  invite: "administrator of anything",
  invitations: "administrator of anything",
  removeInvitation: "administrator of anything",
  userTokens: "administrator of everything",
  revokeUserToken: "administrator of everything",
  roles: "administrator of anything",
  addRole: "administrator of anything",
  removeRole: "administrator of anything",
  approvalRules: "administrator of anything",
  addApprovalRule: "administrator of anything",
  removeApprovalRule: "administrator of anything",
  audit: "administrator of anything",
  instances: "viewer of anything",
  createInstance: "administrator of everything",
  instance: "viewer of prod/shop",
  changeInstance: "administrator of prod",
  removeInstance: "administrator of prod",
  renewToken: "administrator of prod",
  suspend: "operator of prod",
  blockers: "viewer of prod/shop",
  drift: "viewer of prod/shop",
  workloads: "viewer of anything",
  workloadFacets: "viewer of anything",
  workload: "viewer of prod/shop",
  workloadImages: "viewer of prod/shop",
  why: "viewer of prod/shop",
  tree: "viewer of prod/shop",
  comparison: "viewer of prod/shop",
  workloadHistory: "viewer of prod/shop",
  plan: "viewer of prod/shop",
  createJob: "operator of prod/shop",
  jobs: "viewer of anything",
  job: "viewer of anything",
  decideJob: "operator of anything",
  cancelJob: "operator of anything",
  events: "viewer of anything",
  event: "viewer of anything",
  channels: "administrator of everything",
  createChannel: "administrator of everything",
  changeChannel: "administrator of everything",
  removeChannel: "administrator of everything",
  testChannel: "administrator of everything",
  rules: "administrator of everything",
  createRule: "administrator of everything",
  changeRule: "administrator of everything",
  removeRule: "administrator of everything",
  trySettings: "administrator of everything",
  testRule: "administrator of everything",
  deliveries: "administrator of everything",
};

/** The places in which a role suffices, for each place that's asked for. */
const sufficient: Readonly<Record<string, readonly string[]>> = {
  everything: ["everything"],
  prod: ["everything", "prod"],
  "prod/shop": ["everything", "prod", "prod/shop"],
  anything: places,
};

function allowed(what: Expected): readonly string[] {
  const everybody = roles.flatMap((role) => places.map((place) => `${role} of ${place}`));
  if (what === "all" || what === "logged in") {
    return [...(what === "all" ? ["nobody"] : []), "somebody without a role", ...everybody];
  }
  const [role = "", place = ""] = what.split(" of ");
  const enough: readonly string[] = roles.slice(roles.findIndex((each) => each === role));
  return everybody.filter((who) => {
    const [own = "", where = ""] = who.split(" of ");
    return enough.includes(own) && sufficient[place]?.includes(where) === true;
  });
}

function actorWith(grants: readonly Grant[]): Actor {
  return { kind: "user", userId: "u", credentialId: "c", name: "ada", grants };
}

const actors: readonly (readonly [string, Actor | undefined])[] = [
  ["nobody", undefined],
  ["somebody without a role", actorWith([])],
  ...roles.flatMap((role) =>
    places.map((place) => {
      const [instanceId = null, namespace = null] = place === "everything" ? [] : place.split("/");
      return [`${role} of ${place}`, actorWith([{ role, instanceId, namespace }])] as const;
    }),
  ),
];

describe("the operations of the REST API", () => {
  for (const [name, route] of Object.entries<Route>(routes)) {
    const what = expected[name as OperationName];
    it(`let call ${name}: ${what}`, () => {
      const path = route.path.includes("{instance}") ? { instance: "prod" } : {};
      const permitted = actors.filter(([, actor]) => isPermitted(route, actor, path)).map(([who]) => who);

      assert.deepEqual(permitted, allowed(what));
    });
  }
});

function isPermitted(route: Route, actor: Actor | undefined, path: { readonly instance?: string }): boolean {
  try {
    checkMayCall(route, actor, path);
    return true;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return false;
  }
}
