import assert from "node:assert/strict";
import { it } from "node:test";
import { FakeClock } from "@weir/testing";
import { sharedAnswer } from "../../../src/program/shared-answer.ts";

it("an answer is shared by all who ask for some time, also if it's a failure", async () => {
  const clock = new FakeClock();
  let asked = 0;
  const ask = sharedAnswer(
    () => {
      asked += 1;
      return asked === 2 ? Promise.reject(new Error("down")) : Promise.resolve(asked);
    },
    { clock, ms: 1_000 },
  );

  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
  await clock.advance(1_000);
  await assert.rejects(ask(), /down/);
  await assert.rejects(ask(), /down/);
  await clock.advance(1_000);
  assert.equal(await ask(), 3);
});
