import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PolicyUpdate, parseResourceId, type ResourceId } from "@weir/flux";
import { policyCommitMessage } from "../../../../src/daemon/jobs/policy-commit-message.ts";

const web = parseResourceId("shop:deployment/web");
const cart = parseResourceId("shop:deployment/cart");

function updates(...pairs: [ResourceId, PolicyUpdate][]): ReadonlyMap<ResourceId, PolicyUpdate> {
  return new Map(pairs);
}

describe("message of a policy commit", () => {
  it("is one plain line for one sort of change", () => {
    const change = { add: { automated: "true" }, remove: {} };

    const message = policyCommitMessage(updates([web, change], [cart, change]), { message: "", user: "" });

    assert.equal(message, "Automated: shop:deployment/cart, shop:deployment/web\n");
  });

  it("lists several sorts of change", () => {
    const lock = { add: { locked: "true", locked_user: "Jo" }, remove: null };

    const message = policyCommitMessage(updates([web, lock]), { message: "", user: "Jo" });

    assert.equal(
      message,
      "Updated workload policies\n\n- Locked: shop:deployment/web\n- Updated policies: shop:deployment/web\n",
    );
  });

  it("begins with what the user said", () => {
    const change = { add: null, remove: { locked: "true", automated: "true" } };

    const message = policyCommitMessage(updates([web, change]), { message: "thaw", user: "" });

    assert.equal(message, "thaw\n\n- Deautomated: shop:deployment/web\n- Unlocked: shop:deployment/web\n");
  });
});
