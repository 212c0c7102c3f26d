import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readApiCall } from "../../../src/faults/api-call.ts";
import { skewDate, skewTimes } from "../../../src/faults/clock-skew.ts";
import { seededFaults } from "../../../src/faults/seeded-faults.ts";
import { WatchHistory } from "../../../src/faults/watch-history.ts";

const create = readApiCall("POST", "/api/v1/namespaces/a/configmaps");
const watch = readApiCall("GET", "/apis/apps/v1/namespaces/a/deployments?watch=1&resourceVersion=7");

describe("the faults of a seed", () => {
  it("are the same again, whatever else is asked in between", () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    const [one, other] = [seededFaults(3), seededFaults(3)];

    const alone = numbers.map((number) => one.faultOf(create, number));
    const among = numbers.map((number) => {
      other.faultOf(watch, number);
      return other.faultOf(create, number);
    });

    assert.deepEqual(among, alone);
    assert.ok(alone.some((fault) => fault !== undefined));
    assert.notDeepEqual(
      numbers.map((number) => seededFaults(4).faultOf(create, number)),
      alone,
    );
  });
});

describe("a call", () => {
  it("is what a request line means", () => {
    const kinds = [
      readApiCall("GET", "/apis"),
      readApiCall("GET", "/api/v1/namespaces/a/secrets?limit=5&continue=x"),
      readApiCall("PATCH", "/api/v1/namespaces/a/secrets/b"),
      readApiCall("GET", "/api/v1/namespaces/a"),
      watch,
    ].map(({ kind }) => kind);

    assert.deepEqual(kinds, [
      "discover",
      "list secrets continued",
      "patch secrets b",
      "get namespaces a",
      "watch deployments",
    ]);
  });
});

describe("a server whose clock is wrong", () => {
  it("says so in each time, and changes nothing else", () => {
    const text = '{"a":"2026-01-01T00:30:00Z","b":"2026-01-01T00:30:00.000001Z","c":"2026"}';

    assert.equal(
      skewTimes(text, -3_600_000),
      '{"a":"2025-12-31T23:30:00Z","b":"2025-12-31T23:30:00.000001Z","c":"2026"}',
    );
    assert.equal(skewDate("Thu, 01 Jan 2026 00:00:00 GMT", 3_600_000), "Thu, 01 Jan 2026 01:00:00 GMT");
  });
});

describe("events that come again", () => {
  it("are the last ones, and only where a watch goes on after them", () => {
    const history = new WatchHistory();
    const lines = ["5", "6", "7"].map((resourceVersion) =>
      JSON.stringify({ type: "ADDED", object: { metadata: { resourceVersion } } }),
    );
    lines.forEach((line) => history.note(line));

    assert.deepEqual(history.before("7", 2), lines.slice(1));
    assert.deepEqual(history.before("9", 2), []);
  });
});
