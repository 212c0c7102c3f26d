import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nextStep } from "../../../src/notify/retry.ts";

const hour = 60 * 60 * 1000;
const unavailable = (afterMs = 0) => ({ kind: "unavailable", reason: "HTTP 503", afterMs }) as const;

describe("the next step", () => {
  it("after an unavailable service is to wait for longer each time, up to a quarter of an hour", () => {
    const waits = [1, 2, 3, 20].map(
      (failures) => nextStep({ outcome: unavailable(), failures, since: 0, now: 0 }, () => 0).retryAt,
    );

    assert.deepEqual(waits, [5_000, 10_000, 20_000, 900_000]);
  });

  it("is never earlier than the service asked for", () => {
    const step = nextStep({ outcome: unavailable(hour), failures: 1, since: 0, now: 0 }, () => 0.9);

    assert.deepEqual(step, { state: "pending", result: "HTTP 503", unavailable: true, retryAt: hour });
  });

  it("after a day is to give up, and to leave the service alone for a while", () => {
    const step = nextStep({ outcome: unavailable(), failures: 50, since: 0, now: 24 * hour }, () => 0);

    assert.deepEqual(step, {
      state: "failed",
      result: "HTTP 503; given up after a day",
      unavailable: true,
      retryAt: 24 * hour + 900_000,
    });
  });

  it("after a refusal is to give up at once, and to go on with the next message", () => {
    const outcome = { kind: "refused", reason: "HTTP 400: invalid_blocks" } as const;

    assert.deepEqual(
      nextStep({ outcome, failures: 1, since: 0, now: 0 }, () => 0),
      {
        state: "failed",
        result: "HTTP 400: invalid_blocks",
        unavailable: false,
        retryAt: undefined,
      },
    );
  });
});
