import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isIgnoredAsExtraneous } from "../../../src/plan/extraneous.ts";
import { type TargetOptions, targetOptionsOf } from "../../../src/plan/target-options.ts";
import { said, thing } from "../../support/engine-objects.ts";

const usual: TargetOptions = {
  method: "client-side",
  validate: true,
  force: false,
  skipDryRunOnMissingResource: false,
  clientSideApplyMigration: true,
  respectIgnoreDifferences: true,
};

function chosen(words: string, request: Partial<TargetOptions> = {}) {
  return targetOptionsOf(thing("v1 ConfigMap", "a", said({ "sync-options": words })), request);
}

describe("targetOptionsOf", () => {
  it("is the default if nobody says anything", () => {
    assert.deepEqual(chosen(""), usual);
  });

  it("follows the request for an object that says nothing", () => {
    const request: TargetOptions = {
      method: "replace",
      validate: false,
      force: true,
      skipDryRunOnMissingResource: true,
      clientSideApplyMigration: false,
      respectIgnoreDifferences: true,
    };

    assert.deepEqual(chosen("", request), request);
  });

  it("follows the object before the request", () => {
    assert.equal(chosen("Force=false", { force: true }).force, false);
    assert.equal(chosen("Force=true", { force: false }).force, true);
    assert.equal(chosen("Validate=true", { validate: false }).validate, true);
  });

  for (const [words, requested, method] of [
    ["", "client-side", "client-side"],
    ["", "server-side", "server-side"],
    ["ServerSideApply=true", "client-side", "server-side"],
    ["ServerSideApply=false", "server-side", "client-side"],
    ["Replace=true", "server-side", "replace"],
    ["Replace=true,ServerSideApply=true", "client-side", "replace"],
    ["Replace=false", "replace", "client-side"],
    ["Replace=false", "server-side", "server-side"],
    ["Replace=false,ServerSideApply=true", "replace", "server-side"],
    ["ServerSideApply=true", "replace", "replace"],
    ["ServerSideApply=false", "replace", "replace"],
  ] as const) {
    it(`chooses ${method} for "${words}" in a request of ${requested}`, () => {
      assert.equal(chosen(words, { method: requested }).method, method);
    });
  }
});

describe("isIgnoredAsExtraneous", () => {
  for (const [words, expected] of [
    ["IgnoreExtraneous", true],
    [" IgnoreExtraneous ,ServerSideDiff=false", true],
    ["ignoreextraneous", false],
    ["", false],
  ] as const) {
    it(`is ${expected} for "${words}"`, () => {
      const object = thing("v1 ConfigMap", "a", said({ "compare-options": words }));

      assert.equal(isIgnoredAsExtraneous(object), expected);
    });
  }
});
