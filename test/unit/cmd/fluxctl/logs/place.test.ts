import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Place, readLine } from "../../../../../cmd/fluxctl/logs/place.ts";

describe("readLine", () => {
  for (const [line, time, text] of [
    ["2026-01-01T00:00:00.123456789Z hello  world ", "2026-01-01T00:00:00.123456789Z", "hello  world "],
    ["2026-01-01T02:00:00+02:00 hello", "2026-01-01T02:00:00+02:00", "hello"],
    ["2026-01-01T00:00:00Z ", "2026-01-01T00:00:00Z", ""],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", ""],
    ["unable to retrieve container logs", "", "unable to retrieve container logs"],
  ] as const) {
    it(`takes ${JSON.stringify(line)} apart`, () => {
      assert.deepEqual(readLine(line), { time, text });
    });
  }
});

describe("a place in a log", () => {
  const second = (time: string): string => time.replace(/\.\d+/, "");

  it("finds each line once, however often the log is read again from the last second", () => {
    // Steps between lines in units of 0.4 s and some nanoseconds: several have the same second or the same time.
    const steps = fc.array(fc.constantFrom(0, 1, 400_000_000, 1_700_000_000), {
      minLength: 1,
      maxLength: 30,
    });
    const cuts = fc.array(fc.nat({ max: 30 }), { maxLength: 6 });
    fc.assert(
      fc.property(steps, cuts, (gaps, lengths) => {
        let at = 0n;
        const log = gaps.map((gap, index) => {
          at += BigInt(gap);
          const fraction = String(at % 1_000_000_000n).padStart(9, "0");
          const whole = new Date(Number(at / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
          return `${whole}.${fraction}Z line ${index}`;
        });
        const place = new Place();
        const read: string[] = [];
        for (const length of [...lengths, log.length]) {
          place.resume();
          const from = place.time;
          const served = log.filter(
            (line) => from === undefined || second(readLine(line).time) >= second(from),
          );
          for (const line of served.slice(0, length)) {
            if (place.isNew(readLine(line))) {
              read.push(line);
            }
          }
        }
        assert.deepEqual(read, log);
      }),
    );
  });

  it("takes lines without a time as new", () => {
    const place = new Place();
    place.resume();

    assert.deepEqual([place.isNew({ time: "", text: "a" }), place.time], [true, undefined]);
  });

  it("doesn't take a clock that goes back for lines that come again", () => {
    const place = new Place();
    const times = ["2026-01-01T00:00:05Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:03Z"];

    assert.deepEqual(
      times.map((time) => place.isNew({ time, text: "" })),
      [true, true, true],
    );
  });
});
