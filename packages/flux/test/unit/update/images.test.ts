import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { metadataOf } from "../../../../../dev/testing/src/update-world.ts";
import { MissingImageMetadataError } from "../../../src/image/info.ts";
import { parseImageRef, printImageRef } from "../../../src/image/ref.ts";
import { sortImages } from "../../../src/image/sort.ts";
import { parseTagPattern } from "../../../src/image/tag-pattern.ts";
import {
  allowsTag,
  distinctRepositories,
  ImageRepositories,
  newestImage,
} from "../../../src/update/images.ts";

const day = (n: number): string => `2020-01-0${n}T00:00:00Z`;

describe("ImageRepositories", () => {
  it("finds a repository by any spelling, and names its images as it was asked", () => {
    const repositories = new ImageRepositories([
      [parseImageRef("alpine"), metadataOf("alpine", { "3": day(1) })],
    ]);

    for (const name of ["alpine", "docker.io/library/alpine", "index.docker.io/alpine"]) {
      const { tags, images } = repositories.metadata(parseImageRef(name));
      assert.deepEqual(
        [tags, [...images.values()].map(({ ref }) => printImageRef(ref))],
        [["3"], [`${name}:3`]],
      );
    }
  });

  it("knows no tags of any other", () => {
    assert.deepEqual(new ImageRepositories([]).metadata(parseImageRef("x")), { tags: [], images: new Map() });
  });
});

describe("distinctRepositories", () => {
  it("names each repository once, however often it is spelled differently", () => {
    const names = ["a:1", "docker.io/library/a:2", "b", "example.test/a"].map(parseImageRef);

    assert.equal(distinctRepositories(names).length, 3);
  });
});

describe("newestImage", () => {
  it("is the first that the pattern sorts, of those it allows", () => {
    const known = metadataOf("app", { "1.0": day(3), "1.10": day(1), "2.0": day(4), latest: day(5) });
    const newest = (pattern: string): string => {
      const found = newestImage(known, parseTagPattern(pattern));
      return found.kind === "found" ? found.image.ref.tag : found.kind;
    };

    assert.deepEqual(
      ["glob:*", "glob:1*", "semver:^1", "glob:latest", "glob:none", "regexp:^lat"].map(newest),
      ["2.0", "1.0", "1.10", "latest", "none", "none"],
    );
  });

  it("cannot be told where nothing is known of the image of an allowed tag", () => {
    const known = metadataOf("app", { "1": day(1), "2": null });

    assert.deepEqual(newestImage(known, parseTagPattern("glob:*")), {
      kind: "unknown",
      reason: new MissingImageMetadataError("2"),
    });
    assert.equal(newestImage(known, parseTagPattern("glob:1")).kind, "found");
  });

  it("is the same in whatever order the tags are listed", () => {
    const tags = fc.uniqueArray(fc.stringMatching(/^v?\d{1,2}(\.\d{1,2}){0,2}$/), { minLength: 1 });
    const pattern = fc.constantFrom("glob:*", "semver:*", "regexp:1").map(parseTagPattern);

    fc.assert(
      fc.property(tags, pattern, fc.nat(), (names, by, seed) => {
        const times = Object.fromEntries(names.map((name, n) => [name, day(1 + ((n * seed) % 9))]));
        const known = metadataOf("app", times);
        const turned = { ...known, tags: known.tags.toReversed() };

        assert.deepEqual(newestImage(turned, by), newestImage(known, by));
        const [first] = sortImages(
          [...known.images.values()].filter(({ ref }) => allowsTag(by, ref.tag)),
          by,
        );
        assert.deepEqual(newestImage(known, by), first ? { kind: "found", image: first } : { kind: "none" });
      }),
    );
  });
});

describe("allowsTag", () => {
  it('keeps "latest", in any case, for who asks for just that', () => {
    const allowed = (pattern: string, tag: string): boolean => allowsTag(parseTagPattern(pattern), tag);

    assert.deepEqual(
      [
        allowed("glob:*", "latest"),
        allowed("*", "LATEST"),
        allowed("latest", "latest"),
        allowed("regexp:latest", "latest"),
      ],
      [false, false, true, false],
    );
  });
});
