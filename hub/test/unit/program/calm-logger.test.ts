import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, RecordedLog } from "@weir/testing";
import { calmLogger } from "../../../src/program/calm-logger.ts";

describe("the console's log", () => {
  it("has a few of many warnings alike, and says how many there were", async () => {
    const { log, lines, clock } = recorded();

    for (let instance = 1; instance <= 1_000; instance += 1) {
      log.log({ instance, warning: "a connection failed", err: new Error("no database") });
    }
    await clock.advance(60_000);
    log.log({ instance: 7, warning: "a connection failed", err: new Error("no database") });

    assert.deepEqual(lines, [
      ...[1, 2, 3, 4].map((instance) => `instance=${instance} warning=a connection failed err=no database`),
      "instance=5 warning=a connection failed err=no database note=further warnings like this one are suppressed for a minute",
      "instance=7 warning=a connection failed err=no database suppressed=995",
    ]);
  });

  it("has all warnings that differ in what or why, and all that isn't a warning", () => {
    const { log, lines } = recorded();
    const bus = log.with({ component: "bus" });

    for (let time = 1; time <= 6; time += 1) {
      bus.log({ warning: "cannot read a daemon", err: `reason ${time}` });
      bus.log({ warning: `cannot do ${time}`, err: "no database" });
      log.log({ info: "connected" });
    }

    assert.equal(lines.length, 18);
    assert.equal(lines[0], "component=bus warning=cannot read a daemon err=reason 1");
  });

  it("counts warnings together whichever part of the console they're from", () => {
    const { log, lines } = recorded();

    for (let time = 1; time <= 6; time += 1) {
      log.with({ time }).log({ warning: "no", err: "database" });
    }

    assert.equal(lines.length, 5);
  });
});

function recorded() {
  const lines: string[] = [];
  const clock = new FakeClock();
  return { log: calmLogger(new RecordedLog(lines), clock), lines, clock };
}
