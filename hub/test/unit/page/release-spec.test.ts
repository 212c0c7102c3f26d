import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { releaseFilters, releaseSpec, withImage } from "../../../page/screens/release/release-spec.ts";
import { readFilters } from "../../../page/state/filters.ts";

describe("a release in an address", () => {
  it("is of the newest images unless some are chosen", () => {
    const values = readFilters("?workload=a:deployment/b&force=true&message=+why+", releaseFilters);

    assert.deepEqual(releaseSpec(values), {
      kind: "release",
      workloads: ["a:deployment/b"],
      images: "latest",
      force: true,
      message: "why",
    });
  });

  it("has an image for each container that one is chosen for", () => {
    const first = readFilters("?workload=w&container=app&image=x:1", releaseFilters);
    const both = { ...first, ...withImage(first, "proxy", "y:2") };
    const one = { ...both, ...withImage(both, "app", undefined) };

    assert.deepEqual(releaseSpec(both).images, [
      { workload: "w", container: "app", image: "x:1" },
      { workload: "w", container: "proxy", image: "y:2" },
    ]);
    assert.deepEqual(releaseSpec(one).images, [{ workload: "w", container: "proxy", image: "y:2" }]);
  });
});
