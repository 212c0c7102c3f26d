import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { confirmationAnnotation, confirmationOf, isConfirmed } from "../../../src/plan/confirmation.ts";
import { thing } from "../../support/engine-objects.ts";

const now = Date.parse("2026-11-21T10:00:00Z");
const minute = 60_000;
const argo = "argocd.argoproj.io/deletion-approved";

function live(annotations: Readonly<Record<string, string>>, uid = "u1") {
  return thing("v1 ConfigMap", "demo/old", { uid, creationTimestamp: "2026-11-21T09:30:00Z", annotations });
}

/** The object with a confirmation that was given at some time. */
function confirmedAt(time: number, uid = "u1") {
  return live({ [confirmationAnnotation]: confirmationOf(live({}), time) ?? "" }, uid);
}

describe("isConfirmed", () => {
  it("needs an annotation", () => {
    assert.equal(isConfirmed(live({}), now), false);
  });

  it("is true for an hour", () => {
    assert.deepEqual(
      [0, 59, 61].map((minutes) => isConfirmed(confirmedAt(now - minutes * minute), now)),
      [true, true, false],
    );
  });

  it("allows for a clock that is a little ahead", () => {
    assert.deepEqual(
      [4, 6].map((minutes) => isConfirmed(confirmedAt(now + minutes * minute), now)),
      [true, false],
    );
  });

  it("is false for another object with a copy of the annotation", () => {
    assert.equal(isConfirmed(confirmedAt(now, "u2"), now), false);
  });

  it("reads Argo CD's annotation, if it is not older than the object", () => {
    const times = ["2026-11-21T09:59:00Z", "2026-11-21T10:30:00+01:00", "2026-11-21T09:29:59Z"];

    assert.deepEqual(
      times.map((time) => isConfirmed(live({ [argo]: time }), now)),
      [true, true, false],
    );
  });

  for (const value of ["", "true", "u1", "u1@", "@2026-11-21T10:00:00Z", "u1@now", "u1@2026", "2026-11-21"]) {
    it(`is false for ${JSON.stringify(value)}`, () => {
      assert.equal(isConfirmed(live({ [confirmationAnnotation]: value, [argo]: value }), now), false);
    });
  }

  it("does not take a time alone in our annotation, nor a UID in Argo CD's", () => {
    const time = "2026-11-21T10:00:00Z";

    assert.equal(isConfirmed(live({ [confirmationAnnotation]: time }), now), false);
    assert.equal(isConfirmed(live({ [argo]: `u1@${time}` }), now), false);
  });
});

describe("confirmationOf", () => {
  it("is nothing for an object without a UID", () => {
    assert.equal(confirmationOf(thing("v1 ConfigMap", "demo/old"), now), undefined);
  });
});
