import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { notSupported, required } from "../../../src/field-errors.ts";
import { enumField } from "../../../src/schema/enum-fields.ts";
import { checkEnum, checkRequiredEnum } from "../../../src/validate/tree-checks.ts";

const policy = "core.v1.Container.imagePullPolicy";
const scheduling = "core.v1.TopologySpreadConstraint.whenUnsatisfiable";

describe("a field of one of a few words", () => {
  it("may be each word that the schema lists", () => {
    const errors = enumField(policy).words.flatMap((word) =>
      checkEnum("", { imagePullPolicy: word }, policy),
    );

    assert.deepEqual(errors, []);
  });

  it("may be no other word, and the refusal names them all", () => {
    const errors = checkEnum("spec.containers[0]", { imagePullPolicy: "Rarely" }, policy);

    const known = ["Always", "IfNotPresent", "Never"];
    assert.deepEqual(errors, [notSupported("spec.containers[0].imagePullPolicy", "Rarely", known)]);
  });

  it("may be empty only where the schema does not ask for it", () => {
    assert.deepEqual(checkEnum("", {}, policy), []);
    assert.deepEqual(checkEnum("", {}, scheduling), [
      notSupported("whenUnsatisfiable", "", ["DoNotSchedule", "ScheduleAnyway"]),
    ]);
  });

  it("is missed where it must be there", () => {
    assert.deepEqual(checkRequiredEnum("", undefined, policy), [required("imagePullPolicy")]);
  });

  it("is one that the schema knows", () => {
    assert.throws(
      () => enumField("core.v1.Container.image"),
      /lists no words for core\.v1\.Container\.image/,
    );
    assert.throws(() => enumField("core.v1.Nothing.at"), /lists no words/);
  });

  it("may be in a list", () => {
    assert.deepEqual(enumField("core.v1.PersistentVolumeClaimSpec.accessModes").words, [
      "ReadOnlyMany",
      "ReadWriteMany",
      "ReadWriteOnce",
      "ReadWriteOncePod",
    ]);
  });
});
