import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CounterDeclaration, GaugeDeclaration, HistogramDeclaration } from "../../src/metrics.ts";
import { createMetricsRegistry } from "../../src/prometheus.ts";

const words = { meaning: "What it is.", advice: "What to do." };
const jobs = {
  type: "counter",
  name: "jobs_total",
  help: "Jobs.",
  labels: { kind: ["sync", "release"] },
  ...words,
} as const satisfies CounterDeclaration;
const queue = {
  type: "gauge",
  name: "queue_length",
  help: "Waiting.",
  labels: {},
  ...words,
} as const satisfies GaugeDeclaration;
const syncs = {
  type: "histogram",
  name: "sync_seconds",
  help: "Syncs.",
  labels: { success: ["true", "false"] },
  buckets: [0.5, 5],
  ...words,
} as const satisfies HistogramDeclaration;
const seconds = {
  type: "counter",
  name: "cpu_seconds_total",
  help: "CPU.",
  labels: {},
  ...words,
} as const satisfies CounterDeclaration;
const table = [jobs, queue, syncs, seconds];

describe("a registry of metrics", () => {
  it("shows nothing of a metric without a sample", async () => {
    const registry = createMetricsRegistry(table);
    registry.gauge(queue);
    registry.counter(jobs);

    assert.equal((await registry.exposition()).trim(), "");
  });

  it("shows counters, gauges and histograms in the text format", async () => {
    const registry = createMetricsRegistry(table);
    registry.counter(jobs).add({ kind: "sync" }, 2);
    registry.gauge(queue).set({}, 3);
    registry.histogram(syncs).observe({ success: "true" }, 1);

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

  it("reads collected gauges and counters each time it is asked", async () => {
    const registry = createMetricsRegistry(table);
    let value = 1;
    registry.collected(queue, () => value);
    registry.collected(seconds, () => value);
    await registry.exposition();

    value = 7;

    const text = await registry.exposition();
    assert.match(text, /^queue_length 7$/m);
    assert.match(text, /^cpu_seconds_total 7$/m);
    assert.match(text, /^# TYPE cpu_seconds_total counter$/m);
  });

  it("names the text format as its media type", () => {
    assert.equal(createMetricsRegistry([]).contentType, "text/plain; version=0.0.4; charset=utf-8");
  });

  it("refuses a metric that is opened twice, and one that isn't in its table", () => {
    const registry = createMetricsRegistry([queue]);
    registry.gauge(queue);

    assert.throws(() => registry.collected(queue, () => 1), /queue_length is opened twice/);
    assert.throws(() => registry.counter(jobs), /jobs_total isn't in the table/);
  });

  it("refuses a table with two metrics of the same name", () => {
    assert.throws(
      () => createMetricsRegistry([queue, { ...jobs, name: "queue_length" }]),
      /queue_length is in the table of metrics twice/,
    );
  });

  it("shares nothing with another registry", async () => {
    createMetricsRegistry(table).gauge(queue).set({}, 1);

    assert.equal((await createMetricsRegistry(table).exposition()).trim(), "");
  });
});
