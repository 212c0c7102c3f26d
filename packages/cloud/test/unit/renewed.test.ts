import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { Renewed } from "../../src/renewed.ts";

const never = new AbortController().signal;
const hour = 3_600_000;

describe("Renewed", () => {
  it("requests once for simultaneous calls, and again shortly before the end", async () => {
    const clock = new FakeClock();
    const tokens = new Renewed<{ readonly text: string; readonly expires: number }>(clock);
    let count = 0;
    const get = async (name: string): Promise<string> =>
      (
        await tokens.get(
          name,
          () => {
            count += 1;
            return Promise.resolve({ text: `${name}-${count}`, expires: clock.now() + hour });
          },
          never,
        )
      ).text;

    assert.deepEqual(await Promise.all([get("a"), get("a"), get("b")]), ["a-1", "a-1", "b-2"]);
    await clock.advance(hour - 300_001);
    assert.equal(await get("a"), "a-1");
    await clock.advance(1);
    assert.equal(await get("a"), "a-3");
    tokens.forget("a");
    assert.equal(await get("a"), "a-4");
  });

  it("requests again after a failure", async () => {
    const tokens = new Renewed<{ readonly expires: number }>(new FakeClock());

    await assert.rejects(
      tokens.get("a", () => Promise.reject(new Error("down")), never),
      /down/,
    );

    assert.deepEqual(await tokens.get("a", () => Promise.resolve({ expires: hour }), never), {
      expires: hour,
    });
  });
});
