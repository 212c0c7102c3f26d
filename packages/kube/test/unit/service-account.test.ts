import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { identityOf } from "../../src/service-account.ts";

describe("the identity of a service account", () => {
  it("is a user in the groups of all service accounts and of those in its namespace", () => {
    assert.deepEqual(identityOf({ namespace: "apps", name: "deployer" }), {
      user: "system:serviceaccount:apps:deployer",
      groups: ["system:serviceaccounts", "system:serviceaccounts:apps", "system:authenticated"],
    });
  });
});
