import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  allowsTag,
  parseImageRef,
  parseTagPattern,
  parseTimestamp,
  sortImages,
  unknownImageInfo,
} from "@weir/flux";
import { fc, runs } from "@weir/testing/property";
import { knownTags, tag } from "./support/generators/images.ts";
import { globAndTag, tagFilter } from "./support/generators/policies.ts";
import { newestFirst } from "./support/model/images.ts";
import { allows, isRefused, readFilter } from "./support/model/tag-filter.ts";

describe("a tag filter", () => {
  it("lets through what it lets through in Flux", () => {
    fc.assert(
      fc.property(tagFilter, tag, (text, name) => {
        const pattern = parseTagPattern(text);

        assert.equal(pattern.matches(name), readFilter(text).matches(name));
        assert.equal(allowsTag(pattern, name), allows(text, name));
      }),
      runs(3000),
    );
  });

  it("takes an asterisk for any run of characters, and nothing else for more than itself", () => {
    fc.assert(
      fc.property(globAndTag, ([glob, name]) => {
        assert.equal(parseTagPattern(glob).matches(name), readFilter(glob).matches(name));
      }),
      runs(3000),
    );
  });

  it("is refused where Flux refuses to write it", () => {
    fc.assert(
      fc.property(tagFilter, (text) => {
        assert.equal(parseTagPattern(text).isValid, !isRefused(text));
      }),
    );
  });

  it("sorts images as Flux does", () => {
    fc.assert(
      fc.property(tagFilter, knownTags, (text, known) => {
        const images = Object.entries(known).map(([name, created]) => ({
          tag: name,
          created: created ?? "",
        }));
        const infos = images.map(({ tag: name, created }) => {
          const createdAt = parseTimestamp(created);
          const info = unknownImageInfo({ ...parseImageRef("example.test/app"), tag: name });
          return createdAt === undefined ? info : { ...info, createdAt };
        });

        const sorted = sortImages(infos, parseTagPattern(text)).map(({ ref }) => ref.tag);

        assert.deepEqual(
          sorted,
          newestFirst(images, readFilter(text).by).map((image) => image.tag),
        );
      }),
      runs(2000),
    );
  });
});
