import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { syncOptionsOf } from "../../../src/sync/sync-options.ts";
import { said, thing } from "../../support/engine-objects.ts";

function optionsIn(words: string) {
  return syncOptionsOf(thing("v1 ConfigMap", "a", said({ "sync-options": words })));
}

describe("syncOptionsOf", () => {
  it("is the default if the object has no annotation", () => {
    assert.deepEqual(syncOptionsOf(thing("v1 ConfigMap", "a")), {
      validate: true,
      prune: true,
      pruneLast: false,
    });
  });

  it("reads several options", () => {
    assert.deepEqual(optionsIn("Prune=false, PruneLast=true,Validate=false"), {
      validate: false,
      prune: false,
      pruneLast: true,
    });
  });

  it("does not prune objects that must not be deleted", () => {
    assert.equal(optionsIn("Delete=false").prune, false);
  });

  it("reads how the object is to be written", () => {
    assert.equal(optionsIn("ServerSideApply=true").method, "server-side");
    assert.equal(optionsIn("ServerSideApply=false").method, "client-side");
    assert.equal(optionsIn("Replace=true,ServerSideApply=true").method, "replace");
  });
});
