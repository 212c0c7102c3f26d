import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { confirmationAnnotation, confirmationOf } from "../../../src/plan/confirmation.ts";
import { type PruneContext, pruneGuardOf } from "../../../src/plan/guards.ts";
import { said, thing } from "../../support/engine-objects.ts";

const now = Date.parse("2026-11-21T10:00:00Z");
const open: PruneContext = { prune: "on", allowEmpty: false, targets: 3, now };
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

  it("leaves alone what other tools manage, unless it is to be taken over", () => {
    const live = thing("v1 ConfigMap", "demo/old", { labels: { "kapp.k14s.io/app": "1" } });
    const willing = said({ "sync-options": "TakeOver=true" });

    assert.deepEqual(pruneGuardOf(live, open), {
      guard: "foreign",
      reason: "kapp (app 1) manages it",
    });
    assert.equal(pruneGuardOf(live, { ...open, takeOver: true }), undefined);
    assert.equal(pruneGuardOf({ ...live, metadata: { ...live.metadata, ...willing } }, open), undefined);
  });

  it("asks the caller who manages an object", () => {
    const foreignOwner = () => "unit other";

    assert.equal(pruneGuardOf(orphan, { ...open, foreignOwner })?.reason, "unit other manages it");
  });

  for (const option of ["Prune=confirm", "Delete=confirm"]) {
    it(`prunes what says ${option} only once that is confirmed`, () => {
      const { annotations } = said({ "sync-options": option });
      const live = thing("v1 ConfigMap", "demo/old", { uid: "u1", annotations: { ...annotations } });
      const confirmed = thing("v1 ConfigMap", "demo/old", {
        uid: "u1",
        annotations: { ...annotations, [confirmationAnnotation]: confirmationOf(live, now) ?? "" },
      });

      assert.deepEqual(pruneGuardOf(live, open), {
        guard: "unconfirmed",
        reason: "its deletion has not been confirmed",
      });
      assert.equal(pruneGuardOf(confirmed, open), undefined);
    });
  }

  it("does not report objects in a dry run that would stay anyway", () => {
    const live = thing("v1 ConfigMap", "demo/old", said({ "sync-options": "Prune=false" }));

    assert.equal(pruneGuardOf(live, { ...open, prune: "dry-run" })?.guard, "opted-out");
  });
});
