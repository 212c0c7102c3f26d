import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { counted, listed } from "../../../page/text/count.ts";
import { diffLines, diffSize } from "../../../page/text/diff.ts";
import { imageText } from "../../../page/text/image.ts";
import { ago, clockTime, dayOf, exactTime } from "../../../page/text/time.ts";
import { byDay } from "../../../page/text/timeline.ts";
import { podsOf } from "../../../page/text/tree.ts";
import { healthOf } from "../../../page/text/words.ts";

const now = Date.parse("2026-03-10T12:00:00Z");
const berlin = { locale: "en-GB", timeZone: "Europe/Berlin" };

describe("a time", () => {
  it("is said by how long ago it was, in its largest unit", () => {
    const said = [0, 4, 59, 60, 3_599, 3_600, 47 * 3_600, 48 * 3_600, 400 * 86_400].map((seconds) =>
      ago(new Date(now - seconds * 1_000).toISOString(), now),
    );

    assert.deepEqual(said, [
      "now",
      "now",
      "59 s ago",
      "1 min ago",
      "59 min ago",
      "1 h ago",
      "47 h ago",
      "2 d ago",
      "1 y ago",
    ]);
    assert.equal(ago("2026-03-10T12:05:00Z", now), "now");
  });

  it("is written in the time zone of whoever reads it", () => {
    assert.equal(exactTime("2026-03-09T23:30:05Z", berlin), "10 Mar 2026, 00:30:05");
    assert.equal(clockTime("2026-03-09T23:30:05Z", berlin), "00:30");
    assert.equal(dayOf("2026-03-09T23:30:05Z", now, berlin), "Today");
    assert.equal(dayOf("2026-03-09T22:30:05Z", now, berlin), "Yesterday");
    assert.match(dayOf("2026-03-01T12:00:00Z", now, berlin), /^Sunday,? 1 March 2026$/);
  });
});

describe("times of a long list", () => {
  it("are written as one by one", () => {
    const { locale, timeZone } = berlin;
    const form = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone });
    const times = Array.from({ length: 2_500 }, (_, index) => now - index * 700);

    for (const time of [...times, ...times.toReversed()]) {
      assert.equal(exactTime(new Date(time).toISOString(), berlin), form.format(time));
    }
    assert.equal(exactTime("no time", berlin), "Invalid Date");
  });
});

describe("a timeline", () => {
  it("is grouped by day, in the order it has", () => {
    const rows = ["2026-03-10T11:00:00Z", "2026-03-10T01:00:00Z", "2026-03-09T12:00:00Z"].map((at) => ({
      at,
    }));

    assert.deepEqual(byDay(rows, now, berlin), [
      { name: "Today", rows: rows.slice(0, 2) },
      { name: "Yesterday", rows: rows.slice(2) },
    ]);
  });
});

describe("a diff", () => {
  const diff =
    "--- a/x\n+++ b/x\n@@ -3,3 +3,4 @@ spec:\n same\n--- removed\n+added\n+\n\\ No newline at end of file\n";

  it("is read line by line, with the numbers before and after", () => {
    assert.deepEqual(diffLines(diff), [
      { kind: "heading", text: "@@ -3,3 +3,4 @@ spec:" },
      { kind: "same", text: "same", before: 3, after: 3 },
      { kind: "removed", text: "-- removed", before: 4 },
      { kind: "added", text: "added", after: 4 },
      { kind: "added", text: "", after: 5 },
    ]);
  });

  it("says how much it adds and removes", () => {
    assert.deepEqual(diffSize(diffLines(diff)), { added: 2, removed: 1 });
    assert.deepEqual(diffLines(""), []);
  });
});

describe("an image", () => {
  it("is shown by its last name and its tag, or its digest", () => {
    assert.deepEqual(imageText("localhost:5000/a/b:1.2"), { name: "b", tag: "1.2" });
    assert.deepEqual(imageText("localhost:5000/a/b"), { name: "b", tag: "" });
    assert.deepEqual(imageText("b@sha256:0123456789abcdef"), { name: "b", tag: "0123456789ab" });
    assert.deepEqual(imageText("b:1@sha256:0123456789abcdef"), { name: "b", tag: "1" });
  });
});

describe("numbers and lists", () => {
  it("are written as people do", () => {
    assert.equal(counted(1, "workload"), "1 workload");
    assert.equal(counted(1_204, "workload"), "1,204 workloads");
    assert.equal(counted(2, "entry", "entries"), "2 entries");
    assert.equal(listed([]), "");
    assert.equal(listed(["a"]), "a");
    assert.equal(listed(["a", "b", "c"]), "a, b and c");
    assert.equal(listed(["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
  });
});

describe("the tree of a workload", () => {
  it("has pods at any depth", () => {
    const leaf = { namespace: "n", health: "healthy", message: "", children: [] };
    const pods = ["a", "b"].map((name) => ({ ...leaf, kind: "Pod", name }));
    const roots = [
      {
        ...leaf,
        kind: "Deployment",
        name: "d",
        children: [{ ...leaf, kind: "ReplicaSet", name: "r", children: pods }],
      },
    ];

    assert.deepEqual(podsOf(roots), pods);
  });

  it("has health in words, also such that the page doesn't know", () => {
    assert.deepEqual(healthOf("Degraded"), { text: "Degraded", tone: "bad" });
    assert.deepEqual(healthOf("Suspended"), { text: "Suspended", tone: "quiet" });
    assert.deepEqual(healthOf("constructor"), { text: "constructor", tone: "quiet" });
    assert.deepEqual(healthOf(""), { text: "Unknown", tone: "quiet" });
  });
});
