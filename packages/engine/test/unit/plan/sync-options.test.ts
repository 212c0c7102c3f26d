import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ObjectSyncOptions, syncOptionsOf } from "../../../src/plan/sync-options.ts";
import { said, thing } from "../../support/engine-objects.ts";

const unsaid: ObjectSyncOptions = { prune: true, confirm: false, pruneLast: false };

function optionsIn(words: string) {
  return syncOptionsOf(thing("v1 ConfigMap", "a", said({ "sync-options": words })));
}

describe("syncOptionsOf", () => {
  it("is the default if the object has no annotation", () => {
    assert.deepEqual(syncOptionsOf(thing("v1 ConfigMap", "a")), unsaid);
  });

  for (const [words, options] of [
    ["Force=true", { force: true }],
    ["Force=false", { force: false }],
    ["Replace=true", { replace: true }],
    ["Replace=false", { replace: false }],
    ["ServerSideApply=true", { serverSideApply: true }],
    ["ServerSideApply=false", { serverSideApply: false }],
    ["ClientSideApplyMigration=false", { clientSideApplyMigration: false }],
    ["ClientSideApplyMigration=true", { clientSideApplyMigration: true }],
    ["Validate=false", { validate: false }],
    ["SkipDryRunOnMissingResource=true", { skipDryRunOnMissingResource: true }],
    ["RespectIgnoreDifferences=true", { respectIgnoreDifferences: true }],
    ["PrunePropagationPolicy=foreground", { prunePropagationPolicy: "foreground" }],
    ["PrunePropagationPolicy=background", { prunePropagationPolicy: "background" }],
    ["PrunePropagationPolicy=orphan", { prunePropagationPolicy: "orphan" }],
    ["PrunePropagationPolicy=Orphan", {}],
    ["TakeOver=true", { takeOver: true }],
    ["PruneLast=true", { pruneLast: true }],
    ["PruneLast=false", {}],
    ["Prune=false", { prune: false }],
    ["Delete=false", { prune: false }],
    ["Prune=confirm", { confirm: true }],
    ["Delete=confirm", { confirm: true }],
    ["Prune=true", {}],
    // Several, with spaces and empty words.
    [" Force=true ,, Replace=true ", { force: true, replace: true }],
    // The first word on something counts.
    ["Force=false,Force=true", { force: false }],
    // Words that Argo CD doesn't know, or doesn't understand like this.
    ["force=true", {}],
    ["Force=TRUE", {}],
    ["Force = true", {}],
    ["Force", {}],
    ["Force=yes", {}],
    ["ApplyOutOfSyncOnly=true", {}],
    ["Sometimes=true", {}],
    ["", {}],
    // A word that protects counts wherever it is and however it's written.
    ["prune=False", { prune: false }],
    ["Prune = false", { prune: false }],
    ["Prune=true,Prune=false", { prune: false }],
    ["delete=Confirm", { confirm: true }],
  ] as const) {
    it(`reads "${words}"`, () => {
      assert.deepEqual(optionsIn(words), { ...unsaid, ...options });
    });
  }

  it("reads both annotations, Weir's own first", () => {
    const annotations = {
      "weir.dev/sync-options": "Force=false",
      "argocd.argoproj.io/sync-options": "Force=true,Prune=false",
    };

    assert.deepEqual(syncOptionsOf(thing("v1 ConfigMap", "a", { annotations })), {
      ...unsaid,
      force: false,
      prune: false,
    });
  });
});
