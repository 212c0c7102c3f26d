import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { imagesOfTags, MissingImageMetadataError, unknownImageInfo } from "../../../src/image/info.ts";
import { parseImageRef } from "../../../src/image/ref.ts";

describe("imagesOfTags", () => {
  const images = new Map(
    ["1", "2"].map((tag) => [tag, unknownImageInfo(parseImageRef(`quay.io/org/app:${tag}`))]),
  );

  it("gives the images in the order of the tags", () => {
    const found = imagesOfTags({ tags: ["2", "1"], images });

    assert.deepEqual(
      found.map(({ ref }) => ref.tag),
      ["2", "1"],
    );
  });

  it("names the tag of which nothing is known", () => {
    assert.throws(
      () => imagesOfTags({ tags: ["1", "3"], images }),
      (error) => error instanceof MissingImageMetadataError && error.tag === "3",
    );
  });
});
