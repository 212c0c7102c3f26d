import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deletePoliciesOf, hookPhasesOf, hookTimeoutOf, namedHook } from "../../../src/plan/hooks.ts";
import { said, thing } from "../../support/engine-objects.ts";

describe("hookPhasesOf", () => {
  it("is undefined for an object that is not a hook", () => {
    assert.equal(hookPhasesOf(thing("batch/v1 Job", "a"), true), undefined);
  });

  it("names each phase once", () => {
    const hook = thing("batch/v1 Job", "a", said({ hook: "PreSync, PostSync,PreSync" }));

    assert.deepEqual(hookPhasesOf(hook, true), ["PreSync", "PostSync"]);
  });

  it("has no phase for an object marked Skip", () => {
    assert.deepEqual(hookPhasesOf(thing("batch/v1 Job", "a", said({ hook: "Skip" })), true), []);
  });

  it("does not take a hook with unknown words for an ordinary object", () => {
    assert.deepEqual(hookPhasesOf(thing("batch/v1 Job", "a", said({ hook: "presync" })), true), []);
  });
});

describe("deletePoliciesOf", () => {
  it("by default, deletes a hook before it is created again", () => {
    assert.deepEqual(deletePoliciesOf(thing("batch/v1 Job", "a"), true), ["BeforeHookCreation"]);
  });

  it("follows the hook's annotation", () => {
    const hook = thing("batch/v1 Job", "a", said({ "hook-delete-policy": "HookSucceeded,HookFailed,Never" }));

    assert.deepEqual(deletePoliciesOf(hook, true), ["HookSucceeded", "HookFailed"]);
  });
});

describe("hookTimeoutOf", () => {
  for (const [text, ms] of [
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["", 3_600_000],
    ["soon", 3_600_000],
    ["-1m", 3_600_000],
    ["0", 3_600_000],
  ] as const) {
    it(`is ${ms} ms for "${text}"`, () => {
      assert.equal(hookTimeoutOf(thing("batch/v1 Job", "a", said({ "hook-timeout": text }))), ms);
    });
  }
});

describe("namedHook", () => {
  const run = { revision: "8F3C2a1b9d", startedAt: 1_700_000_000_999 };

  it("leaves a hook with a name as it is", () => {
    const hook = thing("batch/v1 Job", "demo/migrate");

    assert.equal(namedHook(hook, "PreSync", run), hook);
  });

  it("makes a name up from the revision, the phase and the time", () => {
    const hook = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { namespace: "demo", generateName: "migrate-" },
    };

    assert.deepEqual(namedHook(hook, "PreSync", run), {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { namespace: "demo", name: "migrate-8f3c2a1-presync-1700000000" },
    });
  });

  it("generates a valid name if there is no revision", () => {
    const hook = { apiVersion: "batch/v1", kind: "Job", metadata: { generateName: "migrate-" } };

    const named = namedHook(hook, "PostSync", { revision: "", startedAt: 5_000 });

    assert.equal(named.metadata.name, "migrate-postsync-5");
  });
});
