import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { Collected } from "../../../src/notify/collected.ts";

describe("collected calls", () => {
  it("are acted upon once, some time after the first of them", async () => {
    const clock = new FakeClock();
    const times: number[] = [];
    using collected = new Collected(clock, 100, () => times.push(clock.now()));

    collected.call();
    await clock.advance(60);
    collected.call();
    await clock.advance(60);
    await clock.advance(500);
    collected.call();
    await clock.advance(100);

    assert.deepEqual(times, [100, 720]);
  });

  it("are forgotten when nobody waits for them any more", async () => {
    const clock = new FakeClock();
    let acted = 0;
    const collected = new Collected(clock, 100, () => (acted += 1));

    collected.call();
    collected[Symbol.dispose]();
    await clock.advance(1000);

    assert.equal(acted, 0);
  });
});
