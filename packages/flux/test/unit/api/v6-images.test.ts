import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stringifyGoJson } from "@weir/base";
import type { WorkloadImagesReport } from "../../../src/api/api-server.ts";
import { decodeImageList, encodeImageList } from "../../../src/api/v6-images.ts";
import { unknownImageInfo } from "../../../src/image/info.ts";
import { emptyImageRef, parseImageRef } from "../../../src/image/ref.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const nothing = unknownImageInfo(emptyImageRef);
const list: readonly WorkloadImagesReport[] = [
  {
    id: parseResourceId("ns:deployment/app"),
    containers: [
      {
        name: "main",
        current: unknownImageInfo(parseImageRef("app:1")),
        latestFiltered: unknownImageInfo(parseImageRef("app:2")),
        available: [unknownImageInfo(parseImageRef("app:2")), unknownImageInfo(parseImageRef("app:1"))],
        availableError: "",
        availableCount: 2,
        newAvailableCount: 1,
        filteredCount: 2,
        newFilteredCount: 1,
      },
      {
        name: "",
        current: nothing,
        latestFiltered: nothing,
        available: [],
        availableError: "no luck",
        availableCount: 0,
        newAvailableCount: 0,
        filteredCount: 0,
        newFilteredCount: 0,
      },
    ],
  },
  { id: parseResourceId("ns:deployment/empty"), containers: [] },
];

describe("a list of images as JSON", () => {
  it("has the keys of Flux v1 in its order, and leaves out what is empty", () => {
    assert.equal(
      stringifyGoJson(encodeImageList(list), { sortKeys: false }),
      '[{"ID":"ns:deployment/app","Containers":[' +
        '{"Name":"main","Current":{"ID":"app:1","Labels":{}},"LatestFiltered":{"ID":"app:2","Labels":{}},"Available":[{"ID":"app:2","Labels":{}},{"ID":"app:1","Labels":{}}],"AvailableImagesCount":2,"NewAvailableImagesCount":1,"FilteredImagesCount":2,"NewFilteredImagesCount":1},' +
        '{"Current":{"ID":"","Labels":{}},"LatestFiltered":{"ID":"","Labels":{}},"AvailableError":"no luck"}' +
        ']},{"ID":"ns:deployment/empty","Containers":null}]',
    );
  });

  it("is read as it was written", () => {
    assert.deepEqual(decodeImageList(encodeImageList(list)), list);
  });

  it("is null for none", () => {
    assert.equal(encodeImageList([]), null);
    assert.deepEqual(decodeImageList(null), []);
  });
});
