import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tellObjects } from "../../src/tell-objects.ts";

describe("what the demo tells of objects", () => {
  it("is which are new, changed, made again, and gone", () => {
    const before = new Map([
      ["Deployment shop/web", { state: "1 of 1 ready", uid: "1" }],
      ["Deployment shop/cart", { state: "1 of 1 ready", uid: "2" }],
      ["Service shop/web", { state: "", uid: "3" }],
      ["ConfigMap shop/banner", { state: "", uid: "4" }],
    ]);
    const now = new Map([
      ["Deployment shop/web", { state: "1 of 2 ready", uid: "1" }],
      ["Deployment shop/cart", { state: "1 of 1 ready", uid: "2" }],
      ["Service shop/web", { state: "", uid: "5" }],
      ["Namespace new", { state: "", uid: "6" }],
    ]);

    assert.deepEqual(
      tellObjects(before, now).map(({ sign, text }) => `${sign} ${text}`),
      [
        "~ Deployment shop/web: 1 of 2 ready",
        "+ Service shop/web is there again",
        "+ Namespace new",
        "- ConfigMap shop/banner",
      ],
    );
    assert.deepEqual(tellObjects(now, now), []);
  });
});
