import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ImageInfo, unknownImageInfo } from "../../../src/image/info.ts";
import { parseImageRef } from "../../../src/image/ref.ts";
import { sortImages } from "../../../src/image/sort.ts";
import { parseTagPattern } from "../../../src/image/tag-pattern.ts";
import { parseTimestamp } from "../../../src/image/timestamp.ts";

describe("sortImages", () => {
  it("puts the one made last first, for a glob and for an expression", () => {
    const infos = [
      image("b", "2020-01-01T00:00:00Z"),
      image("unknown"),
      image("c", "2020-01-03T00:00:00Z"),
      image("a", "2020-01-01T00:00:00Z"),
    ];

    for (const pattern of ["glob:*", "regexp:.*"]) {
      assert.deepEqual(tagsOf(sortImages(infos, parseTagPattern(pattern))), ["c", "a", "b", "unknown"]);
    }
  });

  it("puts the highest version first for versions, whenever it was made", () => {
    const tags = ["1.0", "1.0.0", "v1.0.0", "1.10.0", "1.9.0", "1.0.0-rc1", "abc", "zzz", "2", "1.0.0+build"];

    const sorted = sortImages(
      tags.map((tag) => image(tag)),
      parseTagPattern("semver:*"),
    );

    assert.deepEqual(tagsOf(sorted), [
      "2",
      "1.10.0",
      "1.9.0",
      "v1.0.0",
      "1.0.0+build",
      "1.0.0",
      "1.0",
      "1.0.0-rc1",
      "abc",
      "zzz",
    ]);
  });
});

function image(tag: string, time = ""): ImageInfo {
  const createdAt = parseTimestamp(time);
  const info = unknownImageInfo({ ...parseImageRef("org/app"), tag });
  return createdAt === undefined ? info : { ...info, createdAt };
}

function tagsOf(infos: readonly ImageInfo[]): readonly string[] {
  return infos.map(({ ref }) => ref.tag);
}
