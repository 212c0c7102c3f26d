import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type BackoffPolicy, backoffDelay } from "../../src/backoff.ts";

const policy: BackoffPolicy = { initialMs: 100, maxMs: 1_000, factor: 2, jitter: 0 };

describe("backoffDelay", () => {
  it("grows by the factor up to the longest wait", () => {
    const delays = [1, 2, 3, 4, 5, 6, 5_000].map((failures) => backoffDelay(policy, failures));

    assert.deepEqual(delays, [100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });

  it("does not wait where nothing failed", () => {
    assert.equal(backoffDelay(policy, 0), 0);
  });

  it("leaves the share of the jitter to chance, and never waits longer for it", () => {
    const delays = [0, 0.5, 1].map((random) => backoffDelay({ ...policy, jitter: 0.4 }, 3, () => random));

    assert.deepEqual(delays, [400, 320, 240]);
  });

  it("stays between the share that is sure and the longest wait", () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.float({ min: 0, max: 1, noNaN: true }), (failures, jitter) => {
        const delay = backoffDelay({ ...policy, jitter }, failures + 1);

        assert.ok(delay <= policy.maxMs && delay >= policy.initialMs * (1 - jitter) - 1e-6);
      }),
    );
  });
});
