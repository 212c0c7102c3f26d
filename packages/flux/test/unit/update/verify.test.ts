import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resourcesOf, type World } from "../../../../../dev/testing/src/update-world.ts";
import { parseImageRef } from "../../../src/image/ref.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import type { UpdateResult } from "../../../src/update/result.ts";
import { findUnplannedChange } from "../../../src/update/verify.ts";

const w = "ns:deployment/w";
const before = { [w]: { images: { main: "app:1", side: "side:1" } }, "ns:configmap/c": null };

function planned(container: string, target: string): UpdateResult {
  const update = { container, current: undefined, target: parseImageRef(target) };
  return new Map([[parseResourceId(w), { status: "success", containers: [update] }]]);
}

function problem(after: World["git"], result = planned("main", "app:2")): string | undefined {
  return findUnplannedChange(resourcesOf(before), result, resourcesOf(after));
}

describe("findUnplannedChange", () => {
  it("finds nothing where the planned images are there and the rest is as before", () => {
    assert.equal(problem({ ...before, [w]: { images: { main: "app:2", side: "side:1" } } }), undefined);
  });

  it("takes an image with a digest for set, though its tag does not show", () => {
    const after = { ...before, [w]: { images: { main: "app@sha256:abc", side: "side:1" } } };

    assert.equal(problem(after, planned("main", "app:2@sha256:abc")), undefined);
  });

  for (const [what, after, message] of [
    [
      "an image that was not set",
      before,
      `the image for container "main" in resource "${w}" should be "app:2", but is "app:1"`,
    ],
    [
      "an image that was not to be set",
      { ...before, [w]: { images: { main: "app:2", side: "side:9" } } },
      `the image for container "side" in resource "${w}" should be "side:1", but is "side:9"`,
    ],
    [
      "a container that is gone",
      { ...before, [w]: { images: { main: "app:2" } } },
      `resource "${w}" has different set of containers after update`,
    ],
    [
      "a container with another name",
      { ...before, [w]: { images: { main: "app:2", edge: "side:1" } } },
      `container in position 1 of resource "${w}" has a different name after update: was "side", now "edge"`,
    ],
    [
      "a workload that is none any more",
      { ...before, [w]: null },
      `resource "${w}" is no longer a workload (Deployment or DaemonSet, or similar) after update`,
    ],
    [
      "a resource that was not there",
      { ...before, [w]: { images: { main: "app:2", side: "side:1" } }, "ns:configmap/d": null },
      `resource "ns:configmap/d" is new after update`,
    ],
    [
      "a resource that is gone",
      { [w]: { images: { main: "app:2", side: "side:1" } } },
      `resources {"ns:configmap/c"} present before update but not after`,
    ],
  ] as const) {
    it(`finds ${what}`, () => {
      assert.equal(problem(after), message);
    });
  }

  it("finds that there was no such container to update", () => {
    assert.equal(
      problem(before, planned("none", "app:2")),
      `updating container "none" in resource "${w}" failed: container "none" not found in workload`,
    );
  });
});
