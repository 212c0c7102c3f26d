import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isExcludedKind } from "../../../src/engine-adapter/excluded-kinds.ts";

const kinds = [
  { group: "", version: "v1", kind: "Event" },
  { group: "", version: "v1", kind: "ConfigMap" },
  { group: "apps", version: "v1", kind: "Deployment" },
  { group: "apps", version: "v1beta1", kind: "Deployment" },
  { group: "custom.metrics.k8s.io", version: "v1beta1", kind: "MetricValueList" },
];

function excludedBy(...globs: readonly string[]): readonly string[] {
  return kinds
    .filter((kind) => isExcludedKind(kind, globs))
    .map(({ group, version, kind }) => `${group} ${version} ${kind}`);
}

describe("excluded kinds", () => {
  it("are named by group, version and kind", () => {
    assert.deepEqual(excludedBy("v1/Event"), [" v1 Event"]);
    assert.deepEqual(excludedBy("*/Deployment"), ["apps v1 Deployment", "apps v1beta1 Deployment"]);
    assert.deepEqual(excludedBy("Deployment", "apps", "v1", ""), []);
  });

  it("are all kinds of a version where that is named alone", () => {
    assert.deepEqual(excludedBy("apps/v1/"), ["apps v1 Deployment"]);
    assert.deepEqual(excludedBy("*metrics.k8s.io/*"), ["custom.metrics.k8s.io v1beta1 MetricValueList"]);
  });

  it("are told apart by case, and end where the glob ends", () => {
    assert.deepEqual(excludedBy("V1/Event", "v1/event", "v1/Even", "apps/v1"), []);
  });
});
