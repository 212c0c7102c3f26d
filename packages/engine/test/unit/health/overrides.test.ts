import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { health } from "../../../src/health/health-status.ts";
import { overrideFor, type ResourceOverrides } from "../../../src/health/overrides.ts";

const fine = () => health("Healthy");
const broken = () => health("Degraded");

describe("overrideFor", () => {
  it("finds the override of a kind", () => {
    const overrides: ResourceOverrides = { "apps/Deployment": { health: fine }, "/Pod": { health: broken } };

    assert.equal(overrideFor(overrides, { group: "apps", kind: "Deployment" }).health, fine);
    assert.equal(overrideFor(overrides, { group: "", kind: "Pod" }).health, broken);
    assert.deepEqual(overrideFor(overrides, { group: "apps", kind: "Pod" }), {});
    assert.deepEqual(overrideFor({}, { group: "apps", kind: "Pod" }), {});
  });

  it("takes each field from the most specific key that has it", () => {
    const overrides: ResourceOverrides = {
      "*/*": { health: broken, ignoreDifferences: [{ jsonPointers: ["/spec/a"] }] },
      "*.example.com/*": { ignoreDifferences: [{ jsonPointers: ["/spec/b"] }] },
      "db.example.com/Database": { health: fine },
    };

    assert.deepEqual(overrideFor(overrides, { group: "db.example.com", kind: "Database" }), {
      health: fine,
      ignoreDifferences: [{ jsonPointers: ["/spec/b"] }],
    });
    assert.deepEqual(overrideFor(overrides, { group: "example.com", kind: "Database" }), {
      health: broken,
      ignoreDifferences: [{ jsonPointers: ["/spec/a"] }],
    });
  });

  it("takes a group to be more specific than a kind", () => {
    const overrides: ResourceOverrides = {
      "*/Database": { health: broken },
      "example.com/*": { health: fine },
    };

    assert.equal(overrideFor(overrides, { group: "example.com", kind: "Database" }).health, fine);
    assert.equal(overrideFor(overrides, { group: "other.com", kind: "Database" }).health, broken);
  });
});
