import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMetricsRegistry } from "@weir/base/prometheus";
import { latestImageSpec, parseResourceId, type ReleaseKind, type ReleaseSpec } from "@weir/flux";
import type { LastSyncReport } from "@weir/flux/api";
import { daemonMetrics, openDaemonMetrics } from "../../../src/daemon/metrics.ts";

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

const id = parseResourceId("default:configmap/a");
const ended: LastSyncReport = {
  revision: "r",
  endedAt: new Date(1_600_000_000_000),
  failure: "",
  errors: [],
  isRunning: false,
  waitingFor: [],
};

describe("the metrics of the last sync", () => {
  for (const [outcome, report] of [
    ["complete", ended],
    ["partial", { ...ended, errors: [{ id, source: "a.yaml", error: "no" }] }],
    ["failed", { ...ended, failure: "no" }],
  ] as const) {
    it(`say when one was ${outcome}`, async () => {
      const registry = createMetricsRegistry(Object.values(daemonMetrics));

      openDaemonMetrics(registry).setLastSync(report);

      const lines = (await registry.exposition()).match(/^weir_last_sync_.*$/gm);
      assert.deepEqual(lines, [`weir_last_sync_timestamp_seconds{outcome="${outcome}"} 1600000000`]);
    });
  }

  it("say what a sync waits for, and nothing of an end before the first", async () => {
    const registry = createMetricsRegistry(Object.values(daemonMetrics));

    openDaemonMetrics(registry).setLastSync({ ...ended, endedAt: undefined, waitingFor: [id] });

    const text = await registry.exposition();
    assert.match(text, /^weir_sync_waiting_resources 1$/m);
    assert.doesNotMatch(text, /weir_last_sync/);
  });

  it("count what syncs have changed, and what they have put back", async () => {
    const registry = createMetricsRegistry(Object.values(daemonMetrics));
    const metrics = openDaemonMetrics(registry);

    metrics.countChanges({ kind: "sync", changes: [{ id, what: "created" }] });
    metrics.countChanges({
      kind: "sync",
      changes: [
        { id, what: "changed" },
        { id, what: "created" },
      ],
    });
    metrics.countChanges({ kind: "drift", changes: [{ id, what: "deleted" }] });

    const lines = (await registry.exposition()).matchAll(/^weir_sync_changes_total\{(.*)\} (\d+)$/gm);
    assert.deepEqual(
      [...lines].map(([, labels = "", count]) => `${labels} ${count}`),
      [
        'kind="sync",change="created" 2',
        'kind="sync",change="changed" 1',
        'kind="sync",change="deleted" 0',
        'kind="drift",change="created" 0',
        'kind="drift",change="changed" 0',
        'kind="drift",change="deleted" 1',
      ],
    );
  });
});

describe("the metrics of releases", () => {
  for (const [spec, labels] of [
    [ofImage("app:1", "execute"), 'release_type="specific_image",release_kind="execute"'],
    [ofImage(latestImageSpec, "plan"), 'release_type="latest_images",release_kind="plan"'],
    [ofContainers("execute"), 'release_type="containers",release_kind="execute"'],
    [ofContainers("whatever a caller says"), 'release_type="containers",release_kind="other"'],
    [{ type: "auto", cause, spec: [] }, 'release_type="automated",release_kind="execute"'],
  ] as const) {
    it(`are counted under ${labels}`, async () => {
      const registry = createMetricsRegistry(Object.values(daemonMetrics));

      openDaemonMetrics(registry).observeRelease(spec, false, 0.2);

      const text = await registry.exposition();
      assert.ok(
        text.includes(`flux_fluxsvc_release_duration_seconds_count{${labels},success="false"} 1`),
        text,
      );
    });
  }
});
