import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { annotationChanges, policiesOf } from "../../../src/manifests/annotations.ts";

describe("policiesOf", () => {
  it("reads policies under either prefix, and filters", () => {
    const annotations = new Map([
      ["fluxcd.io/automated", "true"],
      ["flux.weave.works/tag.c", "glob:1"],
      ["filter.fluxcd.io/d", "semver:*"],
      ["fluxcd.io/locked", "false"],
      ["other/x", "y"],
      ["fluxcd.io/ignore", "sync_only"],
    ]);

    assert.deepEqual(policiesOf(annotations), {
      automated: "true",
      "tag.c": "glob:1",
      "tag.d": "semver:*",
      locked: "false",
      ignore: "sync_only",
    });
  });

  it("lets the newer prefix win over the older, and both over a filter", () => {
    const annotations = new Map([
      ["fluxcd.io/tag.c", "glob:new"],
      ["flux.weave.works/tag.c", "glob:old"],
      ["filter.fluxcd.io/c", "glob:filter"],
      ["filter.fluxcd.io/d", "glob:filter"],
      ["flux.weave.works/tag.d", "glob:old"],
    ]);

    assert.deepEqual(policiesOf(annotations), { "tag.c": "glob:new", "tag.d": "glob:old" });
  });
});

describe("annotationChanges", () => {
  it("changes the annotation that is there, and adds new ones under the newer prefix", () => {
    const annotations = new Map([
      ["flux.weave.works/locked", "true"],
      ["filter.fluxcd.io/app", "glob:*"],
    ]);
    const changes = new Map([
      ["locked", undefined],
      ["tag.app", "semver:1"],
      ["tag.db", "semver:2"],
      ["automated", "true"],
    ]);

    assert.deepEqual(annotationChanges(changes, annotations), [
      { key: "flux.weave.works/locked", value: undefined },
      { key: "filter.fluxcd.io/app", value: "semver:1" },
      { key: "fluxcd.io/tag.db", value: "semver:2" },
      { key: "fluxcd.io/automated", value: "true" },
    ]);
  });
});
