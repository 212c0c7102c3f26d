import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTimestamp } from "@weir/flux";
import type { ImageEntry } from "../../../src/registry/client.ts";
import { intervalOf, isDue, nextRefresh } from "../../../src/registry/refresh.ts";

const minute = 60_000;
const hour = 60 * minute;
const excluded: ImageEntry = { kind: "excluded", reason: "no" };

function image(digest: string, lastFetched?: string): ImageEntry {
  const time = lastFetched === undefined ? undefined : parseTimestamp(lastFetched);
  return {
    kind: "image",
    info: {
      ref: { domain: "", image: "app", tag: "1", sha: "" },
      digest,
      imageId: "",
      labels: {},
      ...(time === undefined ? {} : { lastFetched: time }),
    },
  };
}

describe("nextRefresh", () => {
  it("is an hour for what is new", () => {
    assert.equal(nextRefresh(image("a"), undefined), hour);
  });

  it("is twice as long for what did not change, and half as long for what did", () => {
    assert.equal(nextRefresh(image("a"), { digest: "a", interval: hour }), 2 * hour);
    assert.equal(nextRefresh(image("b"), { digest: "a", interval: hour }), hour / 2);
  });

  it("stays between five minutes and a week", () => {
    assert.equal(nextRefresh(image("b"), { digest: "a", interval: minute }), 5 * minute);
    assert.equal(nextRefresh(image("a"), { digest: "a", interval: 100 * hour }), 168 * hour);
  });

  it("is never longer than a week, whatever a record says of the time before", () => {
    assert.equal(nextRefresh(image("a"), { digest: "", interval: 100_000 * hour }), 168 * hour);
    assert.equal(nextRefresh(image("a"), { digest: "", interval: -hour }), 5 * minute);
  });

  it("is a day for what is excluded, and stays that for what is not any more", () => {
    assert.equal(nextRefresh(excluded, { digest: "a", interval: hour }), 24 * hour);
    assert.equal(nextRefresh(image("a"), { digest: "", interval: 24 * hour }), 24 * hour);
  });
});

describe("isDue", () => {
  const now = Date.parse("2020-01-01T00:00:00Z");

  it("is true when the time is over", () => {
    assert.deepEqual(
      [isDue(now - 1, now), isDue(now, now), isDue(now + 168 * hour, now)],
      [true, false, false],
    );
  });

  it("is true for a time that no scan gives: with that a record would stay for ever", () => {
    assert.deepEqual([isDue(now + 170 * hour, now), isDue(0xffffffff * 1000, now)], [true, true]);
  });
});

describe("intervalOf", () => {
  it("is the time from reading to the deadline", () => {
    const deadline = Date.parse("2020-01-01T02:00:00Z");

    assert.equal(intervalOf(image("a", "2020-01-01T00:00:00Z"), deadline), 2 * hour);
    assert.equal(intervalOf(image("a"), deadline), 5 * minute);
    assert.equal(intervalOf(excluded, deadline), 24 * hour);
  });
});
