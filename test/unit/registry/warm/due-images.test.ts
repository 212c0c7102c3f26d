import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ImageInfo, parseTimestamp } from "@weir/flux";
import { emptyRecord } from "../../../../src/registry/cache/records.ts";
import { type CachedImage, judgeImages, knownDigest } from "../../../../src/registry/warm/due-images.ts";
import { hasNewImages, unchangedTags } from "../../../../src/registry/warm/new-images.ts";

const now = Date.parse("2020-01-01T12:00:00Z");
const hour = 3_600_000;

function info(tag: string, digest = tag): ImageInfo {
  const lastFetched = parseTimestamp("2020-01-01T10:00:00Z");
  return {
    ref: { domain: "", image: "app", tag, sha: "" },
    digest,
    imageId: "",
    labels: {},
    ...(lastFetched === undefined ? {} : { lastFetched }),
  };
}

function cached(tag: string, deadline: number): CachedImage {
  return { entry: { kind: "image", info: info(tag) }, deadline };
}

describe("judgeImages", () => {
  it("takes what is there, asks for what is not, and looks again at what is due", () => {
    const due = cached("due", now - hour);
    const excluded: CachedImage = { entry: { kind: "excluded", reason: "no" }, deadline: now + hour };
    const found = judgeImages(
      ["fresh", "due", "missing", "excluded"],
      new Map([
        ["fresh", cached("fresh", now + hour)],
        ["due", due],
        ["excluded", excluded],
      ]),
      { now },
    );

    assert.deepEqual([...found.images.keys()], ["fresh", "due"]);
    assert.deepEqual(found.due, [
      { tag: "due", known: { entry: due.entry, previous: { digest: "due", interval: hour } } },
      { tag: "missing" },
    ]);
  });

  it("looks at an excluded image again when its day is over", () => {
    const excluded: CachedImage = { entry: { kind: "excluded", reason: "no" }, deadline: now - 1 };

    const { due } = judgeImages(["a"], new Map([["a", excluded]]), { now });

    assert.deepEqual(
      due.map(({ known }) => known?.previous),
      [{ digest: "", interval: 24 * hour }],
    );
  });

  it("looks at what was noticed though it is not due, without a word of how often it changes", () => {
    const fresh = cached("fresh", now + hour);

    const { due } = judgeImages(["fresh", "new"], new Map([["fresh", fresh]]), {
      now,
      noticed: new Set(["fresh", "new"]),
    });

    assert.deepEqual(due, [
      { tag: "fresh", known: { entry: fresh.entry, previous: { digest: "", interval: 3 * hour } } },
      { tag: "new" },
    ]);
  });
});

describe("knownDigest", () => {
  const previous = { digest: "x", interval: hour };

  it("is that of the index where the tag names one", () => {
    const image = { kind: "image", info: info("a") } as const;

    assert.equal(knownDigest({ tag: "a", known: { entry: image, previous } }), "a");
    assert.equal(knownDigest({ tag: "a", known: { entry: { ...image, indexDigest: "i" }, previous } }), "i");
  });

  it("is not there for what is not known, or excluded", () => {
    assert.equal(knownDigest({ tag: "a" }), undefined);
    assert.equal(
      knownDigest({ tag: "a", known: { entry: { kind: "excluded", reason: "" }, previous } }),
      undefined,
    );
  });
});

describe("hasNewImages", () => {
  const record = (...infos: readonly ImageInfo[]): typeof emptyRecord => ({
    ...emptyRecord,
    images: new Map(infos.map((each) => [each.ref.tag, each])),
  });

  it("holds for a tag that came, went or moved, and for nothing else", () => {
    assert.equal(hasNewImages(record(info("a")), record(info("a"), info("b"))), true);
    assert.equal(hasNewImages(record(info("a"), info("b")), record(info("a"))), true);
    assert.equal(hasNewImages(record(info("a")), record(info("b"))), true);
    assert.equal(hasNewImages(record(info("a", "1")), record(info("a", "2"))), true);
    assert.equal(hasNewImages(record(info("a")), record(info("a"))), false);
    assert.equal(hasNewImages(emptyRecord, emptyRecord), false);
  });
});

describe("unchangedTags", () => {
  it("are those that a pass found as they were, or not at all", () => {
    const before = {
      ...emptyRecord,
      images: new Map([info("same"), info("moved")].map((each) => [each.ref.tag, each])),
    };
    const after = {
      ...emptyRecord,
      images: new Map(
        [info("same"), info("moved", "other"), info("new")].map((each) => [each.ref.tag, each]),
      ),
    };

    const unchanged = unchangedTags(new Set(["same", "moved", "new", "none"]), before, after);

    assert.deepEqual(unchanged, ["same", "none"]);
  });
});
