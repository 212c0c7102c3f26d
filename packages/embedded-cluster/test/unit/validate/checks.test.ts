import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faults, invalid, required } from "../../../src/field-errors.ts";
import type { Tree } from "../../../src/tree.ts";
import {
  checkCalledPort,
  checkLabelSelector,
  checkNotEmpty,
  checkPortOrName,
  repeats,
  without,
} from "../../../src/validate/checks.ts";
import { Field } from "../../../src/validate/field.ts";

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
      assert.equal(checkPortOrName(Field.named("port", port)).length, count);
    });
  }
});

describe("a port that the API server calls", () => {
  it("is refused in words of its own", () => {
    const why = "port is not valid: must be between 1 and 65535, inclusive";

    assert.deepEqual(checkCalledPort(Field.named("port", 443)), []);
    assert.deepEqual(checkCalledPort(Field.named("port", 0)), [invalid("port", 0, why)]);
  });
});

describe("a list that must have items", () => {
  it("is missed where it is empty or absent", () => {
    assert.deepEqual(checkNotEmpty(Field.named("list", ["a"])), []);
    for (const list of [[], undefined]) {
      assert.deepEqual(checkNotEmpty(Field.named("list", list), "why"), [required("list", "why")]);
    }
  });
});

describe("a label selector", () => {
  it("asks for values where its operator compares with some, and for none elsewhere", () => {
    const terms = [
      { key: "a", operator: "In" },
      { key: "a", operator: "Exists", values: ["b"] },
      { key: "a", operator: "Near" },
      { key: "a", operator: "NotIn", values: ["b"] },
    ];

    const errors = checkLabelSelector(Field.named("selector", { matchExpressions: terms }));

    assert.deepEqual(
      errors.map(({ reason, field }) => [reason, field]),
      [
        ["FieldValueRequired", "selector.matchExpressions[0].values"],
        ["FieldValueForbidden", "selector.matchExpressions[1].values"],
        ["FieldValueInvalid", "selector.matchExpressions[2].operator"],
      ],
    );
  });

  it("may be absent", () => {
    assert.deepEqual(checkLabelSelector(Field.named("selector", undefined)), []);
  });
});

describe("repeated keys", () => {
  it("are those that came before; empty ones are not counted", () => {
    const isRepeated = repeats();

    assert.deepEqual(
      ["a", "b", "a", "", "", "a"].map((key) => isRepeated(key)),
      [false, false, true, false, false, true],
    );
  });
});

describe("an object without some fields", () => {
  it("leaves the original as it is", () => {
    const object: Tree = { a: 1, b: 2, c: 3 };

    assert.deepEqual(without(object, "a", "c", "d"), { b: 2 });
    assert.deepEqual(object, { a: 1, b: 2, c: 3 });
  });
});

describe("faults", () => {
  it("joins single ones and lists in order, and leaves conditions out", () => {
    const [a, b, c] = [required("a"), required("b"), invalid("c", 1, "why")];

    assert.deepEqual(faults(true, a, false, [b, c], []), [a, b, c]);
  });
});
