import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MetricDeclaration } from "@weir/base";
import { allMetrics } from "../../../../cmd/fluxd/metrics.ts";
import { isOfFlux } from "../../../../scripts/metrics-docs/page.ts";
import { webhookMetrics } from "../../../../src/webhooks/metrics.ts";
import { hookSources } from "../../../../src/webhooks/sources.ts";
import recorded from "../../../fixtures/fluxd/metrics.json" with { type: "json" };

/** What Prometheus sees of a declaration. */
function shape(declaration: MetricDeclaration): object {
  const { name, type, labels } = declaration;
  const buckets = "buckets" in declaration ? { buckets: declaration.buckets } : {};
  return { name, type, labels: Object.keys(labels), ...buckets };
}

function byName(one: object, other: object): number {
  return JSON.stringify(one).localeCompare(JSON.stringify(other));
}

describe("the metrics of fluxd", () => {
  it("include all that Flux v1 exposes, with its types, labels, and buckets, under no other flux_ name", () => {
    const own = allMetrics.filter(({ name }) => name.startsWith("flux_")).map(shape);
    const exposed = recorded.metrics.filter((each) => each.exposed !== false);
    const ofFlux = exposed.map(({ name, type, labels, buckets }) => ({
      name,
      type,
      labels,
      ...(buckets === undefined ? {} : { buckets }),
    }));

    assert.equal(ofFlux.length, 12);
    assert.deepEqual(own.toSorted(byName), ofFlux.toSorted(byName));
  });

  it("are documented as Flux v1's only if they are, and the others have prefixes of their own", () => {
    for (const { name } of allMetrics) {
      assert.match(name, /^(flux|weir|process)_/);
      assert.equal(isOfFlux(name), /^(flux|process)_/.test(name), name);
    }
  });

  it("follow Prometheus's names: counters, and only they, end with _total, and times have a unit", () => {
    for (const { name, type } of allMetrics.filter((each) => !each.name.startsWith("flux_"))) {
      assert.equal(name.endsWith("_total"), type === "counter", name);
      assert.doesNotMatch(name, /(duration|timestamp|time)$/);
    }
  });

  it("have few values for each label, and for all labels together", () => {
    for (const { name, labels } of allMetrics) {
      const counts = Object.values(labels).map((values) => (typeof values === "string" ? 1 : values.length));
      const series = counts.reduce((product, count) => product * count, 1);
      assert.ok(series <= 150, `${name} can have ${series} series`);
    }
  });

  it("count webhooks by all sources that there are, and those for unknown URLs", () => {
    assert.deepEqual(webhookMetrics.requests.labels.source, ["", ...hookSources.keys()]);
  });

  it("each say what they are and what to do, in one line at /metrics", () => {
    for (const { name, help, meaning, advice } of allMetrics) {
      assert.ok(help !== "" && !help.includes("\n"), name);
      assert.match(meaning, /[.)]$/, name);
      assert.match(advice, /[.)]$/, name);
    }
  });
});
