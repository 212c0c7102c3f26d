import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { compareTimestamps, parseTimestamp, timestampOf } from "../../../src/image/timestamp.ts";

describe("parseTimestamp", () => {
  it("gives the moment in UTC, to the nanosecond", () => {
    const texts = [
      "2020-01-02T00:00:00Z",
      "2020-01-02T00:00:00.500Z",
      "2020-01-02T00:00:00.123456789Z",
      "2020-01-02T00:00:00.1234567891Z",
      "2020-01-01T23:30:00.25-01:30",
    ];

    assert.deepEqual(texts.map(parseTimestamp), [
      "2020-01-02T00:00:00Z",
      "2020-01-02T00:00:00.5Z",
      "2020-01-02T00:00:00.123456789Z",
      "2020-01-02T00:00:00.123456789Z",
      "2020-01-02T01:00:00.25Z",
    ]);
  });

  it("reads back what is printed, the same", () => {
    const date = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });

    fc.assert(
      fc.property(date, (each) => assert.equal(parseTimestamp(timestampOf(each)), timestampOf(each))),
    );
  });

  it("refuses what is no time", () => {
    const texts = [
      "",
      "2020-01-02",
      "2020-02-30T00:00:00Z",
      "2021-02-29T00:00:00Z",
      "2020-00-01T00:00:00Z",
      "2020-13-01T00:00:00Z",
      "2020-01-02T24:00:00Z",
      "2020-01-02 00:00:00Z",
      "2020-01-02T00:00:00",
    ];

    assert.deepEqual(
      texts.filter((text) => parseTimestamp(text) !== undefined),
      [],
    );
  });
});

describe("compareTimestamps", () => {
  it("sees fractions of different length", () => {
    const [whole, half, more] = [
      "2020-01-02T00:00:00Z",
      "2020-01-02T00:00:00.5Z",
      "2020-01-02T00:00:00.51Z",
    ].map(parseTimestamp);

    assert.deepEqual(
      [more, undefined, half, whole].toSorted(compareTimestamps).map((moment) => moment ?? "not known"),
      [whole, half, more, "not known"],
    );
    assert.ok(compareTimestamps(undefined, whole) < 0);
  });

  it("orders moments as their dates", () => {
    const date = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });

    fc.assert(
      fc.property(date, date, (a, b) => {
        const order = compareTimestamps(timestampOf(a), timestampOf(b));

        assert.equal(order, Math.sign(a.getTime() - b.getTime()));
      }),
    );
  });
});
