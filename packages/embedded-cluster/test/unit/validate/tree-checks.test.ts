import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faults, invalid, notSupported, required } from "../../../src/field-errors.ts";
import { enumField } from "../../../src/schema/enum-fields.ts";
import { checkEnum, checkPortOrName, checkRequiredEnum } from "../../../src/validate/checks.ts";

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

describe("a port by number or name", () => {
  for (const [port, count] of [
    [1, 0],
    [65_535, 0],
    ["http", 0],
    [0, 1],
    [65_536, 1],
    ["-", 2],
    [undefined, 1],
  ] as const) {
    it(`has ${count} faults for ${JSON.stringify(port)}`, () => {
      assert.equal(checkPortOrName("port", port).length, count);
    });
  }
});

describe("faults", () => {
  it("joins single ones and lists in order, and leaves conditions out", () => {
    const [a, b, c] = [required("a"), required("b"), invalid("c", 1, "why")];

    assert.deepEqual(faults(true, a, false, [b, c], []), [a, b, c]);
  });
});
