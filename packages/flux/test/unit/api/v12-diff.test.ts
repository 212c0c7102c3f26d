import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError } from "@weir/base";
import type { DiffReport } from "../../../src/api/inspection.ts";
import { decodeDiff, encodeDiff } from "../../../src/api/v12-diff.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const report: DiffReport = {
  revision: "0123456789",
  changes: [
    {
      id: parseResourceId("shop:configmap/settings"),
      apiVersion: "v1",
      source: "shop/settings.yaml",
      action: "create",
      before: null,
      after: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } },
      error: "",
      reason: "",
    },
    {
      id: parseResourceId("shop:deployment/web"),
      apiVersion: "",
      source: "",
      action: "leave",
      before: null,
      after: null,
      error: "",
      reason: "git no longer has it",
    },
  ],
};

describe("a diff on the wire", () => {
  it("is read as it was written", () => {
    assert.deepEqual(decodeDiff(encodeDiff(report)), report);
  });

  it("leaves alone what a later daemon calls by a word that is not known", () => {
    const later = { revision: "r", changes: [{ id: "shop:deployment/web", action: "rotate" }] };

    assert.equal(decodeDiff(later).changes[0]?.action, "leave");
  });

  it("tells of names that no API server takes", () => {
    const odd = { revision: "r", changes: [{ id: "shop:configmap/Odd name!", action: "create" }] };

    assert.equal(decodeDiff(odd).changes[0]?.id, "shop:configmap/Odd name!");
  });

  it("that is none is refused", () => {
    assert.throws(
      () => decodeDiff({ revision: "r", changes: [{ id: "a:b/c", before: "x" }] }),
      JsonShapeError,
    );
    assert.throws(() => decodeDiff([]), JsonShapeError);
  });
});
