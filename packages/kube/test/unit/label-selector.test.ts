import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import fc from "fast-check";
import { LabelSelectorError } from "../../src/label-requirement.ts";
import { labelSelectorOf, parseLabelSelector } from "../../src/label-selector.ts";

const web = { app: "web", tier: "front", generation: "3", empty: "" };

describe("parseLabelSelector", () => {
  const selecting = [
    "",
    "app",
    "app=web",
    "app==web",
    " app = web , tier in (front, back) ",
    "app in (web)",
    "app notin (db,cache)",
    "missing notin (x)",
    "app!=db",
    "missing!=x",
    "!missing",
    "generation>2,generation<4",
    "empty=",
    "empty in ()",
    "empty in (a,)",
    "in notin (x)",
    "notin!=in",
  ];
  for (const text of selecting) {
    it(`selects by ${JSON.stringify(text)}`, () => {
      assert.ok(parseLabelSelector(text)(web));
    });
  }

  const rejecting = [
    "app=db",
    "missing",
    "!app",
    "app in (db)",
    "app notin (web)",
    "app!=web",
    "generation>3",
    "app>1",
  ];
  for (const text of rejecting) {
    it(`leaves out by ${JSON.stringify(text)}`, () => {
      assert.ok(!parseLabelSelector(text)(web));
    });
  }

  const malformed = [
    ",",
    "app,",
    "app=web,,tier=front",
    "app in web",
    "app in (web",
    "app in (web))",
    "=web",
    "app=>web",
    "app web",
    "!app=web",
    "!",
    "a b c",
    "app=a=b",
    "-app=web",
    "a/b/c=d",
    "UPPER.example/app=web",
    `${"a".repeat(64)}=b`,
    `app=${"a".repeat(64)}`,
    "app=web!",
    "app=we%b",
    "generation>x",
  ];
  for (const text of malformed) {
    it(`refuses ${JSON.stringify(text.slice(0, 30))}`, () => {
      assert.throws(() => parseLabelSelector(text), LabelSelectorError);
    });
  }

  it("selects objects without labels by what they must not have", () => {
    assert.ok(parseLabelSelector("!app,app!=web")(undefined));
    assert.ok(!parseLabelSelector("app")(null));
  });

  it("does not take what objects inherit for labels", () => {
    assert.ok(!parseLabelSelector("constructor")({}));
  });

  it("parses or refuses any text, and never fails otherwise", () => {
    const sign = fc.constantFrom("=", "!", "(", ")", ",", "<", ">", " ", "in", "notin", "a", "b/c", "é");

    fc.assert(
      fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
        try {
          parseLabelSelector(signs.join(""))(web);
        } catch (error) {
          assert.ok(error instanceof LabelSelectorError);
        }
      }),
    );
  });
});

describe("labelSelectorOf", () => {
  it("asks for all labels and all expressions", () => {
    const selector = labelSelectorOf({
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "In", values: ["front", "back"] },
        { key: "tier", operator: "NotIn", values: ["db"] },
        { key: "generation", operator: "Exists" },
        { key: "missing", operator: "DoesNotExist" },
      ],
    });

    assert.ok(selector(web));
    assert.ok(!selector({ ...web, missing: "x" }));
    assert.ok(!selector({ ...web, app: "db" }));
  });

  it("selects everything where it is empty", () => {
    assert.ok(labelSelectorOf({})(undefined));
  });

  const malformed: readonly JsonObject[] = [
    { matchLabels: [] },
    { matchLabels: { app: 1 } },
    { matchExpressions: {} },
    { matchExpressions: ["app"] },
    { matchExpressions: [{ key: "app", operator: "Like", values: ["w"] }] },
    { matchExpressions: [{ key: "app", operator: "In" }] },
    { matchExpressions: [{ key: "app", operator: "Exists", values: ["w"] }] },
    { matchExpressions: [{ operator: "Exists" }] },
  ];
  for (const selector of malformed) {
    it(`refuses ${JSON.stringify(selector)}`, () => {
      assert.throws(() => labelSelectorOf(selector), LabelSelectorError);
    });
  }
});
