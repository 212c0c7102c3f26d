import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { attempt, type Bucket } from "../../../src/access/bucket.ts";

const limit = { burst: 3, perMs: 1_000 };

describe("a rate limit", () => {
  it("allows a burst, then one attempt at a time", () => {
    let bucket: Bucket | undefined;
    for (const now of [0, 1, 2]) {
      const made = attempt(bucket, limit, now);
      assert.ok(made.allowed);
      bucket = made.bucket;
    }
    assert.equal(attempt(bucket, limit, 2).allowed, false);
    assert.ok(attempt(bucket, limit, 1_001).allowed);
  });

  it("never allows more than the burst and what leaked, whatever the clock does", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2_000, max: 2_000 }), { maxLength: 100 }), (steps) => {
        let bucket: Bucket | undefined;
        let now = 1_000_000;
        // The bucket is there from the first attempt on, wherever the clock is by then.
        const first = now + (steps[0] ?? 0);
        let latest = first;
        let allowed = 0;
        for (const step of steps) {
          now += step;
          latest = Math.max(latest, now);
          const made = attempt(bucket, limit, now);
          if (made.allowed) {
            allowed += 1;
            bucket = made.bucket;
          }
        }
        assert.ok(allowed <= limit.burst + (latest - first) / limit.perMs + 1);
      }),
    );
  });

  it("says when to try again, and keeps its word", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), (passed) => {
        const full: Bucket = { used: 3, at: 0 };
        const made = attempt(full, limit, passed);
        if (!made.allowed) {
          assert.ok(attempt(full, limit, passed + made.retryAfterMs).allowed);
        }
      }),
    );
  });
});
