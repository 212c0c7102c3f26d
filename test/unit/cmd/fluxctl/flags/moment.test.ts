import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { UsageError } from "../../../../../cmd/fluxctl/command.ts";
import { parseMoment } from "../../../../../cmd/fluxctl/flags/moment.ts";

const now = new Date(2020, 0, 31, 18, 30, 0);

describe("a moment on the command line", () => {
  for (const [text, moment] of [
    ["2020-02-03T04:05:06Z", new Date(Date.UTC(2020, 1, 3, 4, 5, 6))],
    ["2020-02-03T04:05:06+02:00", new Date(Date.UTC(2020, 1, 3, 2, 5, 6))],
    ["2020-02-03 04:05", new Date(2020, 1, 3, 4, 5)],
    ["2020-02-03", new Date(2020, 1, 3)],
    ["18:31", new Date(2020, 0, 31, 18, 31)],
    // It's half past six now, so that the next time is tomorrow, in another month.
    ["18:30", new Date(2020, 1, 1, 18, 30)],
  ] as const) {
    it(`can be ${text}`, () => {
      assert.deepEqual(parseMoment(text, now), moment);
    });
  }

  for (const text of ["", "tomorrow", "24:00", "12:60", "2020-13-01", "2020-02-03T04", "1580000000"]) {
    it(`can't be ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseMoment(text, now), UsageError);
    });
  }

  it("is read as it is printed", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }), (date) => {
        const text = `${date.toISOString().slice(0, 19)}Z`;
        assert.equal(parseMoment(text, now).toISOString().slice(0, 19), text.slice(0, 19));
      }),
    );
  });
});
