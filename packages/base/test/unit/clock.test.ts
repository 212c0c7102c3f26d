import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { settled } from "@weir/testing";
import { systemClock } from "../../src/clock.ts";

const longestTimer = 2 ** 31 - 1;

describe("the clock of the machine", () => {
  it("sleeps longer than one timer can", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      let isAwake = false;
      const sleep = systemClock.sleep(longestTimer + 1_000).then(() => {
        isAwake = true;
      });

      mock.timers.tick(longestTimer);
      await settled();
      mock.timers.tick(999);
      await settled();
      assert.equal(isAwake, false);
      mock.timers.tick(1);
      await sleep;
    } finally {
      mock.timers.reset();
    }
  });
});
