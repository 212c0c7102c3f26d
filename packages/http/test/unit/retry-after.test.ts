import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { retryAfterMs } from "../../src/retry-after.ts";

describe("retryAfterMs", () => {
  const now = Date.parse("2020-01-01T00:00:00Z");

  it("reads seconds and dates", () => {
    assert.equal(retryAfterMs("120", now), 120_000);
    assert.equal(retryAfterMs("0", now), 0);
    assert.equal(retryAfterMs("Wed, 01 Jan 2020 00:01:30 GMT", now), 90_000);
  });

  it("is nothing for a time that is over, and for what is no time", () => {
    for (const header of ["", "Tue, 31 Dec 2019 23:59:00 GMT", "soon", "-5", "1e400"]) {
      assert.equal(retryAfterMs(header, now), 0, header);
    }
  });
});
