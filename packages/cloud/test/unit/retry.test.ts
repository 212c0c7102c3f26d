import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { CloudError } from "../../src/request.ts";
import { withRetries } from "../../src/retry.ts";

const never = new AbortController().signal;
const url = new URL("https://example.com");

/** Fails with each of these errors in turn, then succeeds. Counts attempts. */
class Attempts {
  count = 0;
  readonly #errors: Error[];

  constructor(...errors: Error[]) {
    this.#errors = errors;
  }

  readonly make = async (): Promise<string> => {
    this.count += 1;
    const error = this.#errors.shift();
    return error === undefined ? "done" : Promise.reject(error);
  };
}

function refusal(status: number, answer = "", waitMs = 0): CloudError {
  return new CloudError(url, { status, answer, waitMs });
}

describe("withRetries", () => {
  it("repeats after passing failures, and waits longer each time, or as long as it's asked to", async () => {
    const clock = new FakeClock();
    const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
    const attempts = new Attempts(
      reset,
      refusal(400, '{"__type":"ThrottlingException"}'),
      refusal(503, "", 9_000),
    );

    const done = withRetries(attempts.make, { clock, random: () => 0 }, never);
    for (const ms of [500, 1_000, 9_000]) {
      await clock.sleeping(ms);
      await clock.advance(ms);
    }

    assert.equal(await done, "done");
    assert.equal(attempts.count, 4);
  });

  for (const error of [
    refusal(400),
    refusal(403),
    refusal(404),
    refusal(503, "", 60_000),
    new Error("odd"),
  ]) {
    it(`doesn't repeat after ${error.message}, if it takes long or doesn't help`, async () => {
      const attempts = new Attempts(error);

      await assert.rejects(withRetries(attempts.make, { clock: new FakeClock() }, never), error);
      assert.equal(attempts.count, 1);
    });
  }

  it("stops waiting when it's aborted", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();

    const waiting = withRetries(
      new Attempts(refusal(500)).make,
      { clock, random: () => 0 },
      controller.signal,
    );
    await clock.sleeping(500);
    controller.abort(new Error("stopped"));

    await assert.rejects(waiting, /^Error: stopped$/);
  });
});
