import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageError } from "../../../../../cmd/fluxctl/command.ts";
import {
  type PolicyWish,
  policyUpdateOf,
  refuseOpposites,
} from "../../../../../cmd/fluxctl/policies/policy-update.ts";

const nobody = { message: "", user: "" };
const ann = { message: "for the weekend", user: "Ann" };

describe("policyUpdateOf", () => {
  for (const [what, wish, add, remove] of [
    ["nothing", {}, {}, {}],
    ["automation", { automate: true }, { automated: "true" }, {}],
    ["no automation", { deautomate: true }, {}, { automated: "true" }],
    ["no lock", { unlock: true }, {}, { locked: "true", locked_msg: "true", locked_user: "true" }],
    ["a tag for every container", { tagAll: "semver:~1.2" }, { tag_all: "semver:~1.2" }, {}],
    ["any tag for every container", { tagAll: "*" }, { tag_all: "glob:*" }, {}],
    [
      "tags by container",
      { tags: ["a=1.*", "b=glob:v*", "c=regex:^v", "d=regexp:^v", "e=semver:1", "f="] },
      {
        "tag.a": "glob:1.*",
        "tag.b": "glob:v*",
        "tag.c": "regexp:^v",
        "tag.d": "regexp:^v",
        "tag.e": "semver:1",
        "tag.f": "glob:",
      },
      {},
    ],
    ["no tag for a container", { tags: ["a=*"] }, {}, { "tag.a": "true" }],
  ] as const satisfies readonly (readonly [string, PolicyWish, object, object])[]) {
    it(`asks for ${what}`, () => {
      assert.deepEqual(policyUpdateOf(wish, nobody), { add, remove });
    });
  }

  it("tells who locks and why, where that is known", () => {
    assert.deepEqual(policyUpdateOf({ lock: true }, ann).add, {
      locked: "true",
      locked_user: "Ann",
      locked_msg: "for the weekend",
    });
    assert.deepEqual(policyUpdateOf({ lock: true }, { message: "why", user: "" }).add, { locked: "true" });
    assert.deepEqual(policyUpdateOf({ lock: true }, { message: "", user: "Ann" }).add, {
      locked: "true",
      locked_user: "Ann",
      locked_msg: "",
    });
  });

  for (const [wish, message] of [
    [{ tags: ["x"] }, `invalid container/tag pair: "x". Expected format is 'container=filter'`],
    [
      { tags: ["a=semver:>=1"] },
      `invalid container/tag pair: "a=semver:>=1". Expected format is 'container=filter'`,
    ],
  ] as const) {
    it(`refuses ${JSON.stringify(wish)}`, () => {
      assert.throws(() => policyUpdateOf(wish, nobody), new UsageError(message));
    });
  }
});

describe("refuseOpposites", () => {
  for (const [wish, message] of [
    [{ automate: true, deautomate: true }, "automate and deautomate both specified"],
    [{ lock: true, unlock: true }, "lock and unlock both specified"],
  ] as const) {
    it(`refuses ${JSON.stringify(wish)}`, () => {
      assert.throws(() => refuseOpposites(wish), new UsageError(message));
    });
  }
});
