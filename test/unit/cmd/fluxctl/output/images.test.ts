import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ImageInfo, parseImageRef, parseResourceId, timestampOf, unknownImageInfo } from "@weir/flux";
import type { WorkloadImagesReport } from "@weir/flux/api";
import { printImages } from "../../../../../cmd/fluxctl/output/images.ts";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";

const now = Date.parse("2026-01-10T12:00:00Z");

function image(tag: string, created: string, digest = ""): ImageInfo {
  return {
    ...unknownImageInfo(parseImageRef(`app:${tag}`)),
    createdAt: timestampOf(new Date(created)),
    digest,
  };
}

const workload: WorkloadImagesReport = {
  id: parseResourceId("a:deployment/app"),
  containers: [
    {
      name: "main",
      current: unknownImageInfo(parseImageRef("app:2")),
      latestFiltered: unknownImageInfo(parseImageRef("app:3")),
      available: [
        image("3", "2026-01-10T09:00:00Z", "sha256:33"),
        image("2", "2026-01-07T12:00:00Z", "sha256:22"),
        unknownImageInfo(parseImageRef("app:1")),
      ],
      availableError: "",
      availableCount: 3,
      newAvailableCount: 1,
      filteredCount: 3,
      newFilteredCount: 1,
    },
  ],
};

describe("printImages", () => {
  it("tells in a wide table how old images are, and their digests", () => {
    const wide = printImages([workload], { headers: true, wide: true, paint: plain, limit: 10, now });

    assert.deepEqual(wide.split(/ *\n/), [
      "WORKLOAD          CONTAINER  IMAGE  CREATED              AGE  DIGEST",
      "a:deployment/app  main       app",
      "                             |   3  10 Jan 26 09:00 UTC  3h   sha256:33",
      "                             '-> 2  07 Jan 26 12:00 UTC  3d   sha256:22",
      "                                 1",
      "",
    ]);
  });

  it("paints the image that runs, and those it left behind", () => {
    const paint = { ...plain, good: (text: string) => `(${text})`, faint: (text: string) => `[${text}]` };
    const painted = printImages([workload], { headers: false, wide: false, paint, limit: 10, now });

    assert.match(painted, /\('-> 2\)/);
    assert.match(painted, /\[ {4}1\]/);
    assert.match(painted, / \| {3}3 /);
  });
});
