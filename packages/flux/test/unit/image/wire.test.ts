import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef } from "../../../src/image/ref.ts";
import { parseTimestamp } from "../../../src/image/timestamp.ts";
import { decodeImageInfo, encodeImageInfo } from "../../../src/image/wire.ts";

const time = parseTimestamp("2020-01-02T00:00:00.123456789Z");
const whole = {
  ID: "quay.io/org/app:1.0.1",
  Digest: "sha256:4deb",
  ImageID: "sha256:1c2f",
  Labels: {
    "org.label-schema.build-date": "2019-05-05T00:00:00Z",
    "org.opencontainers.image.created": "2019-05-06T00:00:00Z",
  },
  CreatedAt: "2020-01-02T00:00:00.123456789Z",
  LastFetched: "2020-02-01T00:00:00.5Z",
};

describe("an image as JSON", () => {
  it("keeps all that is known, to the nanosecond", () => {
    const info = decodeImageInfo(whole);

    assert.deepEqual(info.ref, parseImageRef("quay.io/org/app:1.0.1"));
    assert.equal(info.createdAt, time);
    assert.deepEqual(encodeImageInfo(info), whole);
  });

  it("leaves out what is not known, but for the labels", () => {
    const nothing = { ID: "", Labels: {} };

    assert.deepEqual(encodeImageInfo(decodeImageInfo(nothing)), nothing);
    assert.deepEqual(encodeImageInfo(decodeImageInfo(null)), nothing);
  });

  it("is read though its name or a time makes no sense", () => {
    const info = decodeImageInfo({
      ID: ":1",
      Labels: { "org.opencontainers.image.created": "soon" },
      CreatedAt: "then",
    });

    assert.deepEqual(info, {
      ref: { domain: "", image: ":1", tag: "", sha: "" },
      digest: "",
      imageId: "",
      labels: {},
    });
  });
});
