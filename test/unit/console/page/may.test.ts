import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Grant } from "../../../../src/console/contract/access.ts";
import { may, maySomewhere } from "../../../../src/console/page/state/may.ts";

const grants: readonly Grant[] = [
  { role: "viewer", instanceId: null, namespace: null },
  { role: "operator", instanceId: "eu", namespace: "shop" },
];

describe("roles", () => {
  it("hold where they were given, and include lower ones", () => {
    assert.equal(may(grants, "viewer", { instanceId: "us" }), true);
    assert.equal(may(grants, "operator", { instanceId: "eu", namespace: "shop" }), true);
    assert.equal(may(grants, "operator", { instanceId: "eu", namespace: "bank" }), false);
    assert.equal(may(grants, "operator", { instanceId: "eu" }), false);
    assert.equal(may(grants, "administrator"), false);
    assert.equal(may([{ role: "administrator", instanceId: null, namespace: null }], "operator"), true);
  });

  it("hold somewhere in an instance", () => {
    assert.equal(maySomewhere(grants, "operator", "eu"), true);
    assert.equal(maySomewhere(grants, "operator", "us"), false);
  });
});
