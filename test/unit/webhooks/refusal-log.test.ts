import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, RecordedLog } from "@weir/testing";
import { RefusalLog } from "../../../src/webhooks/refusal-log.ts";

const tenMinutes = 10 * 60_000;

describe("what is told of refused webhooks", () => {
  it("is each reason once, however they alternate, and of each endpoint apart", () => {
    const log = new RecordedLog();
    const refusals = new RefusalLog(log, new FakeClock());

    for (let times = 0; times < 1_000; times += 1) {
      refusals.refused("/a", { hook: "/a" }, times % 2 === 0 ? "no signature" : "no JSON");
    }
    refusals.refused("/b", { hook: "/b" }, "no JSON");

    assert.deepEqual(log.lines, [
      "hook=/a refused=no signature",
      "hook=/a refused=no JSON",
      "hook=/b refused=no JSON",
    ]);
  });

  it("is no more than a few reasons where a sender finds ever new ones", () => {
    const log = new RecordedLog();
    const refusals = new RefusalLog(log, new FakeClock());

    for (let times = 0; times < 1_000; times += 1) {
      refusals.refused("/a", {}, `events[${times}] is not an object`);
    }

    assert.equal(log.lines.length, 8);
  });

  it("is told again after a while, with how many were refused since", async () => {
    const log = new RecordedLog();
    const clock = new FakeClock();
    const refusals = new RefusalLog(log, clock);
    for (let times = 0; times < 5; times += 1) {
      refusals.refused("/a", { hook: "/a" }, "no JSON");
    }

    await clock.advance(tenMinutes);
    refusals.refused("/a", { hook: "/a" }, "no JSON");
    await clock.advance(tenMinutes);
    refusals.refused("/a", { hook: "/a" }, "no signature");

    assert.deepEqual(log.lines, [
      "hook=/a refused=no JSON",
      "hook=/a info=refused more requests since the last message requests=4",
      "hook=/a refused=no JSON",
      "hook=/a refused=no signature",
    ]);
  });
});
