import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError } from "@weir/base";
import type { TreeReport } from "../../../src/api/inspection.ts";
import { decodeTree, encodeTree } from "../../../src/api/v12-tree.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const pod = {
  id: parseResourceId("shop:pod/web-1"),
  apiVersion: "v1",
  source: "",
  sync: "",
  health: "Degraded",
  message: "image cannot be pulled",
  children: [],
} as const;
const report: TreeReport = {
  revision: "0123456789",
  resources: [
    {
      id: parseResourceId("shop:deployment/web"),
      apiVersion: "apps/v1",
      source: "web.yaml",
      sync: "OutOfSync",
      health: "Progressing",
      message: "",
      children: [pod],
    },
  ],
};

describe("a tree on the wire", () => {
  it("is read as it was written", () => {
    assert.deepEqual(decodeTree(encodeTree(report)), report);
  });

  it("that is none is refused", () => {
    assert.throws(() => decodeTree({ resources: {} }), JsonShapeError);
    assert.throws(() => decodeTree({ resources: [{ id: "a:b/c", children: [1] }] }), JsonShapeError);
  });
});
