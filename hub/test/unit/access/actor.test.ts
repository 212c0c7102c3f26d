import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type Grant,
  includesRole,
  limitGrants,
  mayAct,
  mayActSomewhere,
  scopeOf,
} from "../../../src/access/actor.ts";

const roles = ["viewer", "operator", "administrator"] as const;
const role = fc.constantFrom(...roles);
const instanceId = fc.constantFrom("a", "b");
const namespace = fc.constantFrom("x", "y");
const grant = fc.record<Grant>({
  role,
  instanceId: fc.option(instanceId),
  namespace: fc.option(namespace),
});
const grants = fc.array(grant, { maxLength: 4 });

describe("roles", () => {
  it("include those below them", () => {
    assert.equal(includesRole("operator", "viewer"), true);
    assert.equal(includesRole("operator", "operator"), true);
    assert.equal(includesRole("operator", "administrator"), false);
  });

  it("are for their instance and namespace", () => {
    const actor = { grants: [{ role: "operator", instanceId: "a", namespace: "x" }] } as const;
    assert.equal(mayAct(actor, "operator", { instanceId: "a", namespace: "x" }), true);
    assert.equal(mayAct(actor, "operator", { instanceId: "a", namespace: "y" }), false);
    assert.equal(mayAct(actor, "operator", { instanceId: "b", namespace: "x" }), false);
    assert.equal(mayAct(actor, "administrator", { instanceId: "a", namespace: "x" }), false);
  });

  it("for one namespace aren't for the whole instance, but for a part of it", () => {
    const actor = { grants: [{ role: "viewer", instanceId: "a", namespace: "x" }] } as const;
    assert.equal(mayAct(actor, "viewer", { instanceId: "a" }), false);
    assert.equal(mayActSomewhere(actor, "viewer", { instanceId: "a" }), true);
    assert.equal(mayActSomewhere(actor, "viewer", { instanceId: "b" }), false);
  });

  it("for one instance aren't for the console", () => {
    const actor = { grants: [{ role: "administrator", instanceId: "a", namespace: null }] } as const;
    assert.equal(mayAct(actor, "administrator", {}), false);
  });

  it("of a limited set permit what both permit, and nothing else", () => {
    fc.assert(
      fc.property(grants, grant, role, instanceId, namespace, (all, limit, asked, instance, name) => {
        const place = { instanceId: instance, namespace: name };
        const limited = { grants: limitGrants(all, limit) };
        const both = mayAct({ grants: all }, asked, place) && mayAct({ grants: [limit] }, asked, place);
        assert.equal(mayAct(limited, asked, place), both);
      }),
    );
  });
});

describe("what lists may show", () => {
  it("is everything with a role everywhere, and else the places of the roles", () => {
    assert.equal(scopeOf({ grants: [{ role: "viewer", instanceId: null, namespace: null }] }), "everything");
    assert.deepEqual(scopeOf({ grants: [{ role: "operator", instanceId: "a", namespace: "x" }] }), [
      { instanceId: "a", namespace: "x" },
    ]);
    assert.deepEqual(scopeOf({ grants: [] }), []);
  });
});
