import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Reported } from "../../src/reported.ts";

describe("what was reported", () => {
  it("is news once, of each subject, and when it changes", () => {
    const reported = new Reported();

    assert.equal(reported.isNew("a", "refused"), true);
    assert.equal(reported.isNew("a", "refused"), false);
    assert.equal(reported.isNew("b", "refused"), true);
    assert.equal(reported.isNew("a", "not found"), true);
  });

  it("is news again after it was well", () => {
    const reported = new Reported();
    reported.isNew("a");

    assert.equal(reported.clear("a"), true);
    assert.equal(reported.clear("a"), false);
    assert.equal(reported.isNew("a"), true);
  });

  it("is no news in the next pass, but in one after a pass without it", () => {
    const reported = new Reported();
    reported.isNew("a", "refused");

    reported.endPass();
    assert.equal(reported.isNew("a", "refused"), false);
    reported.endPass();
    reported.endPass();

    assert.equal(reported.isNew("a", "refused"), true);
  });

  it("is news again where it was well since the pass before", () => {
    const reported = new Reported();
    reported.isNew("a", "refused");
    reported.endPass();

    assert.equal(reported.clear("a"), true);

    assert.equal(reported.isNew("a", "refused"), true);
  });
});
