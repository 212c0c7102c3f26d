import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { Pace } from "../../../src/daemons/pace.ts";

const limits = { perSecond: 10, burst: 3 };

describe("a pace", () => {
  it("lets a burst begin at once, and the others one after the other", async () => {
    const clock = new FakeClock();
    await clock.advance(10_000);
    const pace = new Pace(clock, limits);

    assert.deepEqual(
      Array.from({ length: 6 }, () => pace.turn()),
      [0, 0, 0, 100, 200, 300],
    );
  });

  it("holds nobody up for longer when the clock is set back", () => {
    let now = 7_200_000;
    const pace = new Pace({ now: () => now, sleep: () => Promise.resolve() }, limits);
    pace.turn();

    now -= 3_600_000;

    assert.deepEqual(
      Array.from({ length: 3 }, () => pace.turn()),
      [0, 0, 100],
    );
  });

  it("allows no more than that later, however long the pause was", async () => {
    const clock = new FakeClock();
    await clock.advance(10_000);
    const pace = new Pace(clock, limits);
    for (let turn = 0; turn < 20; turn += 1) {
      pace.turn();
    }

    await clock.advance(3_600_000);

    assert.deepEqual(
      Array.from({ length: 5 }, () => pace.turn()),
      [0, 0, 0, 100, 200],
    );
  });
});
