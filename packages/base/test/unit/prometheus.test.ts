import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMetricsRegistry } from "../../src/prometheus.ts";

describe("a registry of metrics", () => {
  it("shows nothing of a metric without a sample", async () => {
    const registry = createMetricsRegistry();
    registry.gauge({ name: "git_ready", help: "Ready.", labels: [] });
    registry.counter({ name: "count", help: "Count.", labels: ["kind"] });

    assert.equal((await registry.exposition()).trim(), "");
  });

  it("shows counters, gauges and histograms in the text format", async () => {
    const registry = createMetricsRegistry();
    registry.counter({ name: "jobs_total", help: "Jobs.", labels: ["kind"] }).add({ kind: "sync" }, 2);
    registry.gauge({ name: "queue_length", help: "Waiting.", labels: [] }).set({}, 3);
    registry
      .histogram({ name: "sync_seconds", help: "Syncs.", labels: ["success"], buckets: [0.5, 5] })
      .observe({ success: "true" }, 1);

    assert.equal(
      (await registry.exposition()).trim(),
      `# HELP jobs_total Jobs.
# TYPE jobs_total counter
jobs_total{kind="sync"} 2

# HELP queue_length Waiting.
# TYPE queue_length gauge
queue_length 3

# HELP sync_seconds Syncs.
# TYPE sync_seconds histogram
sync_seconds_bucket{le="0.5",success="true"} 0
sync_seconds_bucket{le="5",success="true"} 1
sync_seconds_bucket{le="+Inf",success="true"} 1
sync_seconds_sum{success="true"} 1
sync_seconds_count{success="true"} 1`,
    );
  });

  it("reads a collected gauge each time it is asked", async () => {
    const registry = createMetricsRegistry();
    let bytes = 1;
    registry.collected({ name: "memory_bytes", help: "Memory." }, () => bytes);

    bytes = 7;

    assert.match(await registry.exposition(), /^memory_bytes 7$/m);
  });

  it("names the text format as its media type", () => {
    assert.equal(createMetricsRegistry().contentType, "text/plain; version=0.0.4; charset=utf-8");
  });

  it("refuses a name that is declared twice", () => {
    const registry = createMetricsRegistry();
    registry.gauge({ name: "same", help: "First.", labels: [] });

    assert.throws(
      () => registry.counter({ name: "same", help: "Second.", labels: [] }),
      /same is declared twice/,
    );
  });

  it("shares nothing with another registry", async () => {
    createMetricsRegistry().gauge({ name: "mine", help: "Mine.", labels: [] }).set({}, 1);

    assert.equal((await createMetricsRegistry().exposition()).trim(), "");
  });
});
