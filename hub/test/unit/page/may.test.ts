import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { administeredPlace, may, mayReach, maySomewhere } from "../../../page/state/may.ts";
import type { Grant } from "../../../src/contract/access.ts";

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

  it("suffice for resources if they hold in each of their namespaces", () => {
    const reaches = (...ids: readonly string[]): boolean =>
      mayReach(grants, "operator", { instanceId: "eu", ids });

    assert.equal(reaches("shop:deployment/web", "shop:deployment/cart"), true);
    assert.equal(reaches("shop:deployment/web", "bank:deployment/vault"), false);
    assert.equal(reaches("<cluster>:namespace/shop"), false);
    assert.equal(reaches(), false);
  });

  it("of an administrator hold somewhere, or everywhere", () => {
    const everywhere = { role: "administrator", instanceId: null, namespace: null } as const;
    const ofInstance = { role: "administrator", instanceId: "eu", namespace: null } as const;

    assert.equal(administeredPlace(grants), undefined);
    assert.deepEqual(administeredPlace([...grants, ofInstance]), { instanceId: "eu", namespace: null });
    assert.deepEqual(administeredPlace([ofInstance, everywhere]), { instanceId: null, namespace: null });
  });
});
