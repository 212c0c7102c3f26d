import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { worstOf } from "../../../src/health/health-status.ts";

describe("worstOf", () => {
  it("is healthy of nothing", () => {
    assert.equal(worstOf([]), "Healthy");
  });

  it("is the worst one, wherever it stands", () => {
    assert.equal(worstOf(["Healthy", "Degraded", "Progressing"]), "Degraded");
  });

  it("takes suspended for better than progressing, and unknown for worst", () => {
    assert.equal(worstOf(["Suspended", "Progressing"]), "Progressing");
    assert.equal(worstOf(["Missing", "Unknown", "Degraded"]), "Unknown");
  });
});
