import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { memcachedLimits } from "@weir/base";
import {
  emptyImageRef,
  type ImageInfo,
  parseTimestamp,
  type Timestamp,
  timestampOf,
  unknownImageInfo,
} from "@weir/flux";
import fc from "fast-check";
import {
  emptyRecord,
  parseEntry,
  parseRepository,
  printEntry,
  printRepository,
  type RepositoryRecord,
} from "../../../../src/registry/cache/records.ts";

function time(text: string): Timestamp {
  const parsed = parseTimestamp(text);
  assert.ok(parsed);
  return parsed;
}

const info: ImageInfo = {
  ref: { domain: "quay.io", image: "org/app", tag: "1.0.1", sha: "" },
  digest: "sha256:4deb",
  imageId: "sha256:1c2f",
  labels: { created: time("2019-05-05T00:00:00Z") },
  createdAt: time("2020-01-02T00:00:00.123456789Z"),
  lastFetched: time("2020-02-01T00:00:00.5Z"),
};

/** As Flux v1 writes it. */
const flux =
  '{"ID":"quay.io/org/app:1.0.1","Digest":"sha256:4deb","ImageID":"sha256:1c2f","Labels":{"org.opencontainers.image.created":"2019-05-05T00:00:00Z"},"CreatedAt":"2020-01-02T00:00:00.123456789Z","LastFetched":"2020-02-01T00:00:00.5Z"}';

describe("the record of an image", () => {
  it("is Flux's, byte for byte", () => {
    assert.equal(printEntry({ kind: "image", info }), flux);
    assert.deepEqual(parseEntry(flux, "1.0.1"), { kind: "image", info });
  });

  it("says why an image is excluded", () => {
    const text = '{"ExcludedReason":"no suitable manifest (linux amd64) in manifestlist"}';
    const entry = parseEntry(text, "1.0.1");

    assert.ok(entry);
    assert.deepEqual(entry, {
      kind: "excluded",
      reason: "no suitable manifest (linux amd64) in manifestlist",
    });
    assert.equal(printEntry(entry), text);
  });

  it("keeps the digest of an index beside what Flux knows", () => {
    const entry = { kind: "image", info, indexDigest: "sha256:abcd" } as const;

    assert.equal(printEntry(entry), flux.replace(/}$/, ',"IndexDigest":"sha256:abcd"}'));
    assert.deepEqual(parseEntry(printEntry(entry), "1.0.1"), entry);
  });

  it("is Flux's where the configuration made no sense: without a name, and nothing else is read of it", () => {
    const text = '{"ID":"","Labels":{},"LastFetched":"2020-02-01T00:00:00.5Z"}';
    const nothing = unknownImageInfo(emptyImageRef);
    const { lastFetched } = info;
    assert.ok(lastFetched);

    assert.equal(printEntry({ kind: "image", info: { ...nothing, lastFetched } }), text);
    assert.deepEqual(parseEntry(text, "1.0.1"), { kind: "image", info: nothing });
  });

  it("counts as not there where it is that of another tag, or too long to be one", () => {
    assert.equal(parseEntry(flux, "1.0.2"), undefined);
    assert.equal(parseEntry(flux + " ".repeat(memcachedLimits.entry), "1.0.1"), undefined);
  });

  it("counts as not there where it makes no sense", () => {
    for (const text of ["", "null", "[]", "{", "{}", '{"ID":5}', '{"ID":"a:b:c"}']) {
      assert.equal(parseEntry(text, "1.0.1"), undefined, text);
    }
  });
});

describe("the record of a repository", () => {
  const record: RepositoryRecord = {
    tags: ["1.0.1", "broken"],
    images: new Map([["1.0.1", info]]),
    lastError: "",
    lastUpdate: time("2020-02-01T00:00:00Z"),
  };

  it("is Flux's, byte for byte", () => {
    const text = `{"Tags":["1.0.1","broken"],"Images":{"1.0.1":${flux}},"LastError":"","LastUpdate":"2020-02-01T00:00:00Z"}`;

    assert.equal(printRepository(record), text);
    assert.deepEqual(parseRepository(text), record);
  });

  it("is Flux's where it was never read", () => {
    const text = '{"Tags":null,"Images":null,"LastError":"no such host","LastUpdate":"0001-01-01T00:00:00Z"}';
    const failed = { ...emptyRecord, lastError: "no such host" };

    assert.equal(printRepository(failed), text);
    assert.deepEqual(parseRepository(text), failed);
  });

  it("is read whatever zone its time is in", () => {
    const text = '{"Tags":[],"Images":{},"LastError":"","LastUpdate":"2020-02-01T02:00:00+02:00"}';

    assert.equal(parseRepository(text)?.lastUpdate, "2020-02-01T00:00:00Z");
  });

  it("leaves out images that are those of other tags", () => {
    const text = `{"Tags":["1.0.0","1.0.1"],"Images":{"1.0.0":${flux},"1.0.1":${flux}},"LastUpdate":"2020-02-01T00:00:00Z"}`;

    assert.deepEqual([...(parseRepository(text)?.images.keys() ?? [])], ["1.0.1"]);
  });

  it("counts as not there where a tag is none", () => {
    for (const tag of ["", "../../v2", "1.0\\n  evil: true", "1 2"]) {
      assert.equal(parseRepository(`{"Tags":["${tag}"],"Images":{}}`), undefined, tag);
    }
  });

  it("counts as not there where it holds more objects than any scan writes", () => {
    const objects = (count: number): string => `{"Tags":[],"More":[${"{},".repeat(count)}0]}`;

    assert.ok(parseRepository(objects(memcachedLimits.containers - 10)));
    assert.equal(parseRepository(objects(memcachedLimits.containers)), undefined);
  });

  it("reads as what was printed", () => {
    const tag = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/);
    const images = fc.dictionary(
      tag,
      fc.date({ min: new Date(0), max: new Date(1e14), noInvalidDate: true }),
    );
    fc.assert(
      fc.property(images, fc.string({ unit: "binary" }), (dates, lastError) => {
        const written: RepositoryRecord = {
          ...record,
          lastError: lastError.toWellFormed(),
          images: new Map(
            Object.entries(dates)
              .filter(([, date]) => date.getUTCFullYear() <= 9999)
              .map(([each, date]) => [
                each,
                { ...info, ref: { ...info.ref, tag: each }, createdAt: timestampOf(date) },
              ]),
          ),
        };
        assert.deepEqual(parseRepository(printRepository(written)), written);
      }),
    );
  });

  it("counts as not there where it makes no sense", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = parseRepository(JSON.stringify(value));
        return read === undefined || Array.isArray(read.tags);
      }),
    );
  });
});
