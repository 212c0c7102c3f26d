import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PruneContext, pruneGuardOf } from "../../../src/sync/guards.ts";
import { said, thing } from "../../support/engine-objects.ts";

const open: PruneContext = { prune: "on", allowEmpty: false, targets: 3 };
const orphan = thing("v1 ConfigMap", "demo/old");

describe("pruneGuardOf", () => {
  it("lets an ordinary orphan be pruned", () => {
    assert.equal(pruneGuardOf(orphan, open), undefined);
  });

  it("prunes nothing if pruning is off", () => {
    assert.deepEqual(pruneGuardOf(orphan, { ...open, prune: "off" }), {
      guard: "prune-off",
      reason: "pruning is off",
    });
  });

  it("only reports what it would prune in a dry run", () => {
    assert.deepEqual(pruneGuardOf(orphan, { ...open, prune: "dry-run" }), {
      guard: "prune-dry-run",
      reason: "it would be pruned (dry run)",
    });
  });

  it("prunes nothing if there are no targets at all", () => {
    assert.deepEqual(pruneGuardOf(orphan, { ...open, targets: 0 }), {
      guard: "no-targets",
      reason: "there are no targets at all",
    });
  });

  it("prunes without targets if that is allowed", () => {
    assert.equal(pruneGuardOf(orphan, { ...open, targets: 0, allowEmpty: true }), undefined);
  });

  it("leaves objects alone that are being deleted", () => {
    const live = thing("v1 ConfigMap", "demo/old", { deletionTimestamp: "2026-11-21T10:00:00Z" });

    assert.deepEqual(pruneGuardOf(live, open), {
      guard: "being-deleted",
      reason: "it is already being deleted",
    });
  });

  it("leaves owned objects alone", () => {
    const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "1" };

    assert.deepEqual(
      pruneGuardOf(thing("apps/v1 ReplicaSet", "demo/web-1", { ownerReferences: [owner] }), open),
      {
        guard: "owned",
        reason: "it belongs to Deployment web",
      },
    );
  });

  for (const option of ["Prune=false", "Delete=false"]) {
    it(`leaves alone what says ${option}`, () => {
      const live = thing("v1 ConfigMap", "demo/old", said({ "sync-options": option }));

      assert.deepEqual(pruneGuardOf(live, open), { guard: "opted-out", reason: "its sync options say so" });
    });
  }

  it("leaves objects alone that the caller keeps", () => {
    const keep = ({ metadata }: { metadata: { name?: string } }) => `we like ${metadata.name ?? ""}`;

    assert.deepEqual(pruneGuardOf(orphan, { ...open, keep }), { guard: "kept", reason: "we like old" });
  });

  it("does not report objects in a dry run that would stay anyway", () => {
    const live = thing("v1 ConfigMap", "demo/old", said({ "sync-options": "Prune=false" }));

    assert.equal(pruneGuardOf(live, { ...open, prune: "dry-run" })?.guard, "opted-out");
  });
});
