import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { afterReplacement, type Replacements } from "../../../src/store/rivals.ts";

const none: Replacements = { replacedSince: null, replacedAt: null, hasRivals: false };
const minute = 60_000;

describe("replaced connections", () => {
  it("are those of rivals if they follow each other for longer than a rollout takes", async () => {
    assert.equal((await replacedEvery(5_000, 4 * minute)).hasRivals, true);
  });

  it("are no rivals' while the pods of a rollout overlap", async () => {
    const rollout = await replacedEvery(5_000, minute);

    const next = afterReplacement(rollout, { now: 60 * minute, patience: 3 * minute });

    assert.equal(rollout.hasRivals, false);
    assert.deepEqual(next, {
      replacedSince: new Date(60 * minute),
      replacedAt: new Date(60 * minute),
      hasRivals: false,
    });
  });

  it("are no rivals' if they don't follow each other closely, however long that goes on", async () => {
    assert.equal((await replacedEvery(minute, 120 * minute)).hasRivals, false);
  });
});

async function replacedEvery(ms: number, untilMs: number): Promise<Replacements> {
  const clock = new FakeClock();
  let known = none;
  while (clock.now() < untilMs) {
    known = afterReplacement(known, { now: clock.now(), patience: 3 * minute });
    await clock.advance(ms);
  }
  return known;
}
