import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isTimeZone, parseSchedule, zoned } from "../../../../src/kinds/cron-job/cron.ts";

const minute = 60_000;
const sunday = Date.parse("2024-03-10T10:20:30Z");

describe("parseSchedule", () => {
  const due: Readonly<Record<string, string>> = {
    "* * * * *": "2024-03-10T10:21:00Z",
    "*/15 * * * *": "2024-03-10T10:30:00Z",
    "15 2 * * *": "2024-03-11T02:15:00Z",
    "0 0 1 * *": "2024-04-01T00:00:00Z",
    "0 9 * * MON-FRI": "2024-03-11T09:00:00Z",
    "0 9 * jan sun": "2025-01-05T09:00:00Z",
    "0 0 29 2 *": "2028-02-29T00:00:00Z",
    "5,10-12 11 * * *": "2024-03-10T11:05:00Z",
    // Either the day of the month or that of the week is enough where both are limited.
    "0 0 13 * FRI": "2024-03-13T00:00:00Z",
    "@hourly": "2024-03-10T11:00:00Z",
    "@weekly": "2024-03-17T00:00:00Z",
    "@yearly": "2025-01-01T00:00:00Z",
    "@every 90s": "2024-03-10T10:22:00Z",
  };
  for (const [text, next] of Object.entries(due)) {
    it(`is due next by ${text}`, () => {
      assert.equal(nextOf(text, sunday), Date.parse(next));
    });
  }

  it("is never due on a day that does not come", () => {
    assert.equal(nextOf("0 0 31 2 *", sunday), undefined);
  });

  it("says what is wrong", () => {
    for (const text of [
      "",
      "* * * *",
      "60 * * * *",
      "* 24 * * *",
      "* * 0 * *",
      "* * * 13 *",
      "a * * * *",
      "@never",
      "*/0 * * * *",
      "5-1 * * * *",
    ]) {
      assert.ok("fault" in parseSchedule(text), text);
    }
  });

  it("names times that lie ahead, on whole minutes, in order", () => {
    const field = (max: number): fc.Arbitrary<string> =>
      fc.oneof(
        fc.constant("*"),
        fc.nat(max).map(String),
        fc.integer({ min: 1, max: 9 }).map((step) => `*/${step}`),
      );
    const schedules = fc.tuple(field(59), field(23)).map(([m, h]) => `${m} ${h} * * *`);

    fc.assert(
      fc.property(schedules, fc.integer({ min: 0, max: 2 ** 41 }), (text, after) => {
        const first = nextOf(text, after) ?? 0;
        const second = nextOf(text, first) ?? 0;

        assert.ok(first > after && second > first);
        assert.equal(first % minute, 0);
        assert.equal(nextOf(text, first - 1), first);
      }),
    );
  });
});

describe("zoned", () => {
  it("is due by the clocks of the zone", () => {
    const schedule = parseSchedule("0 9 * * *");
    assert.ok("next" in schedule);

    const next = zoned(schedule, "Asia/Tokyo").next(sunday);

    assert.equal(next, Date.parse("2024-03-11T00:00:00Z"));
  });
});

describe("isTimeZone", () => {
  it("knows the names of zones", () => {
    assert.ok(isTimeZone("Europe/Berlin"));
    assert.ok(!isTimeZone("Europe/Atlantis"));
  });
});

function nextOf(text: string, after: number): number | undefined {
  const schedule = parseSchedule(text);
  assert.ok("next" in schedule, text);
  return schedule.next(after);
}
