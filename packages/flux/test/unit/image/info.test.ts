import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  findImage,
  type ImageInfo,
  imagesOfTags,
  MissingImageMetadataError,
  unknownImageInfo,
} from "../../../src/image/info.ts";
import { isSameImage, parseImageRef } from "../../../src/image/ref.ts";

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

describe("findImage", () => {
  const seed = 20_210;
  const text = fc.constantFrom("", "a", "b", "a.test");
  const ref = fc.record({ domain: text, image: fc.constantFrom("x", "y"), tag: text, sha: text });

  it("finds an image by its whole reference and by nothing less", () => {
    fc.assert(
      fc.property(ref, fc.array(ref), (asked, known) => {
        const infos = known.map(
          (each, index): ImageInfo => ({ ...unknownImageInfo(each), digest: `digest ${index}` }),
        );
        const images = new Map(infos.map((info) => [info.ref.tag, info]));
        const same = [...images.values()].find((info) => isSameImage(info.ref, asked));

        assert.deepEqual(findImage({ tags: [], images }, asked), same ?? unknownImageInfo(asked));
      }),
      { seed },
    );
  });
});
