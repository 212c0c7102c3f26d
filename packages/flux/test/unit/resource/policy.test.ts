import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef } from "../../../src/image/ref.ts";
import { containerOfTagPolicy, hasPolicy, tagPolicyOf } from "../../../src/resource/policy.ts";
import { InvalidTagPatternError, policyChanges } from "../../../src/resource/policy-changes.ts";
import { tagPatternOf } from "../../../src/resource/tag-filter.ts";

describe("policies", () => {
  it("count as booleans only where they are exactly true", () => {
    const set = { automated: "true", locked: "false", ignore: "sync_only", locked_user: "me" };

    assert.deepEqual(
      ["automated", "locked", "ignore", "locked_user", "locked_msg"].map((policy) => hasPolicy(set, policy)),
      [true, false, false, true, false],
    );
  });

  it("hold the tag filter of a container under its name", () => {
    assert.deepEqual(
      [tagPolicyOf("app"), containerOfTagPolicy("tag.app"), containerOfTagPolicy("tag_all")],
      ["tag.app", "app", undefined],
    );
    assert.deepEqual(
      [
        tagPatternOf({ "tag.app": "semver:1" }, "app").text,
        tagPatternOf({ "tag.app": "semver:1" }, "db").text,
      ],
      ["semver:1", "glob:*"],
    );
  });
});

describe("policyChanges", () => {
  const containers = ["app", "sidecar"].map((name) => ({ name, image: parseImageRef("nginx") }));

  it("sets what is added and takes away what is removed", () => {
    const changes = policyChanges(containers, { add: { automated: "true" }, remove: { locked: "true" } });

    assert.deepEqual(
      [...changes],
      [
        ["automated", "true"],
        ["locked", undefined],
      ],
    );
  });

  it("removes what is both added and removed, and what is set to nothing", () => {
    const changes = policyChanges(containers, {
      add: { automated: "true", locked_msg: "" },
      remove: { automated: "true" },
    });

    assert.deepEqual(
      [...changes],
      [
        ["automated", undefined],
        ["locked_msg", undefined],
      ],
    );
  });

  it("sets a filter for all over the filters of single containers", () => {
    const changes = policyChanges(containers, {
      add: { tag_all: "semver:1", "tag.app": "glob:v*" },
      remove: null,
    });

    assert.deepEqual(
      [...changes],
      [
        ["tag.app", "semver:1"],
        ["tag.sidecar", "semver:1"],
      ],
    );
  });

  it("takes the filters away by a filter for all that takes every tag", () => {
    const changes = policyChanges(containers, { add: { tag_all: "glob:*" }, remove: null });

    assert.deepEqual(
      [...changes],
      [
        ["tag.app", undefined],
        ["tag.sidecar", undefined],
      ],
    );
  });

  it("refuses a filter that cannot be read", () => {
    for (const pattern of ["semver:new", "regexp:("]) {
      assert.throws(
        () => policyChanges(containers, { add: { tag_all: pattern }, remove: null }),
        (error) =>
          error instanceof InvalidTagPatternError && error.message === `invalid tag pattern: "${pattern}"`,
      );
    }
  });
});
