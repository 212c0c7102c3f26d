import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMetricsRegistry } from "@weir/base/prometheus";
import { declareDaemonMetrics } from "../../../src/daemon/metrics.ts";
import { latestImageSpec, type ReleaseKind, type ReleaseSpec } from "../../../src/update/spec.ts";

const cause = { message: "", user: "" };

function ofImage(image: string, kind: ReleaseKind): ReleaseSpec {
  return {
    type: "image",
    cause,
    spec: { workloads: [], image, kind, excludes: null, force: false },
  };
}

function ofContainers(kind: ReleaseKind): ReleaseSpec {
  return {
    type: "containers",
    cause,
    spec: { kind, containers: new Map(), skipMismatches: false, force: false },
  };
}

describe("the metrics of releases", () => {
  for (const [spec, labels] of [
    [ofImage("app:1", "execute"), 'release_type="specific_image",release_kind="execute"'],
    [ofImage(latestImageSpec, "plan"), 'release_type="latest_images",release_kind="plan"'],
    [ofContainers("execute"), 'release_type="containers",release_kind="execute"'],
    [ofContainers("whatever a caller says"), 'release_type="containers",release_kind="other"'],
    [{ type: "auto", cause, spec: [] }, 'release_type="automated",release_kind="execute"'],
  ] as const) {
    it(`are counted under ${labels}`, async () => {
      const registry = createMetricsRegistry();

      declareDaemonMetrics(registry).observeRelease(spec, false, 0.2);

      const text = await registry.exposition();
      assert.ok(
        text.includes(`flux_fluxsvc_release_duration_seconds_count{${labels},success="false"} 1`),
        text,
      );
    });
  }
});
