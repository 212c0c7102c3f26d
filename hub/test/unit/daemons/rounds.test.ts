import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@weir/testing";
import { Rounds } from "../../../src/daemons/rounds.ts";

describe("rounds", () => {
  it("begin at once, and leave what arrives during one and shortly after for the next", async () => {
    const clock = new FakeClock();
    const { rounds, done, add } = collected((ms) => clock.sleep(ms));

    add("a");
    add("b");
    await clock.advance(19);
    add("c");
    assert.deepEqual(done, [["a"]]);
    await clock.advance(1);
    assert.deepEqual(done, [["a"], ["b", "c"]]);
    await clock.advance(20);
    await rounds.idle();
    add("d");

    assert.deepEqual(done, [["a"], ["b", "c"], ["d"]]);
  });

  it("miss nothing, at whatever step it arrives", async () => {
    for (let steps = 0; steps < 20; steps += 1) {
      const { done, add } = collected(() => Promise.resolve());

      add("a");
      for (let step = 0; step < steps; step += 1) {
        await Promise.resolve();
      }
      add("b");
      await settled();

      assert.deepEqual(done, [["a"], ["b"]], `after ${steps} steps`);
    }
  });
});

/** Things that are done in rounds, with this pause after each. */
function collected(sleep: (ms: number) => Promise<void>) {
  const waiting: string[] = [];
  const done: string[][] = [];
  const rounds = new Rounds({
    clock: { now: () => 0, sleep },
    pauseMs: 20,
    isDue: () => waiting.length > 0,
    round: () => {
      done.push(waiting.splice(0));
      return Promise.resolve();
    },
  });
  const add = (thing: string): void => {
    waiting.push(thing);
    rounds.begin();
  };
  return { rounds, done, add };
}
