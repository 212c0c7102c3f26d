import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  everyTag,
  type ImageInfo,
  parseImageRef,
  parseTagPattern,
  parseTimestamp,
  sortImages,
  unknownImageInfo,
} from "@weir/flux";
import { readTable } from "../support/parity.ts";

interface Line {
  readonly id: string;
  readonly by: "created" | "semver";
  readonly input: readonly { readonly tag: string; readonly createdAt: string }[];
  readonly newestFirst: readonly string[];
}

describe("the order of images, as Flux v1 sorts them", () => {
  for (const line of readTable("golden/image-sort.jsonl") as readonly Line[]) {
    it(`${line.id}: by ${line.by}`, () => {
      const infos = line.input.map(({ tag, createdAt }) => imageInfo(tag, createdAt));

      const sorted = sortImages(infos, line.by === "semver" ? parseTagPattern("semver:*") : everyTag);

      assert.deepEqual(
        sorted.map(({ ref, createdAt }) => `${ref.tag} ${createdAt ?? ""}`),
        line.newestFirst,
      );
    });
  }
});

function imageInfo(tag: string, time: string): ImageInfo {
  const createdAt = parseTimestamp(time);
  const info = unknownImageInfo({ ...parseImageRef("quay.io/org/app"), tag });
  return createdAt === undefined ? info : { ...info, createdAt };
}
