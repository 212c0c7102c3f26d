import * as prometheus from "prom-client";
import type {
  CollectedDeclaration,
  Counter,
  CounterDeclaration,
  Gauge,
  GaugeDeclaration,
  Histogram,
  HistogramDeclaration,
  Labels,
  LabelValues,
  MetricDeclaration,
  Metrics,
} from "./metrics.ts";

/** Metrics that can be printed. */
export interface MetricsRegistry extends Metrics {
  /** The media type of the exposition. */
  readonly contentType: string;
  /** All samples in Prometheus's text format 0.0.4. */
  exposition(): Promise<string>;
}

/**
 * A new registry for the metrics of a table, without samples; there's no global one. It opens no other metric, so that
 * the table, from which the documentation is made, is complete.
 */
export function createMetricsRegistry(table: readonly MetricDeclaration[]): MetricsRegistry {
  const registry = new prometheus.Registry();
  const twice = table.find(({ name }, at) => table.findIndex((each) => each.name === name) < at);
  if (twice !== undefined) {
    throw new Error(`the metric ${twice.name} is in the table of metrics twice`);
  }
  // By their names: a part of a program that's loaded on demand may have its own copy of a declaration.
  const unopened = new Set(table.map(({ name }) => name));
  function open({ name }: MetricDeclaration): void {
    if (!unopened.delete(name)) {
      const isKnown = table.some((each) => each.name === name);
      throw new Error(`the metric ${name} ${isKnown ? "is opened twice" : "isn't in the table of metrics"}`);
    }
  }
  return {
    contentType: prometheus.Registry.PROMETHEUS_CONTENT_TYPE,
    exposition: () => registry.metrics(),
    counter(declaration) {
      open(declaration);
      return openCounter(registry, declaration);
    },
    gauge(declaration) {
      open(declaration);
      return openGauge(registry, declaration);
    },
    histogram(declaration) {
      open(declaration);
      return openHistogram(registry, declaration);
    },
    collected(declaration, read) {
      open(declaration);
      collect(registry, declaration, read);
    },
  };
}

function openCounter<L extends Labels>(
  registry: prometheus.Registry,
  declaration: CounterDeclaration<L>,
): Counter<L> {
  const counter = new prometheus.Counter(configurationOf(declaration));
  const show = shownOnce(registry, counter);
  return {
    add: (labels, amount = 1) => {
      show();
      counter.inc(plain(labels), amount);
    },
  };
}

function openGauge<L extends Labels>(
  registry: prometheus.Registry,
  declaration: GaugeDeclaration<L>,
): Gauge<L> {
  const gauge = new prometheus.Gauge(configurationOf(declaration));
  const show = shownOnce(registry, gauge);
  return {
    set: (labels, value) => {
      show();
      gauge.set(plain(labels), value);
    },
  };
}

function openHistogram<L extends Labels>(
  registry: prometheus.Registry,
  declaration: HistogramDeclaration<L>,
): Histogram<L> {
  const histogram = new prometheus.Histogram({
    ...configurationOf(declaration),
    buckets: [...declaration.buckets],
  });
  const show = shownOnce(registry, histogram);
  return {
    observe: (labels, value) => {
      show();
      histogram.observe(plain(labels), value);
    },
  };
}

function collect(registry: prometheus.Registry, declaration: CollectedDeclaration, read: () => number): void {
  const configuration = configurationOf(declaration);
  const metric =
    declaration.type === "counter"
      ? new prometheus.Counter({
          ...configuration,
          collect() {
            this.reset();
            this.inc(read());
          },
        })
      : new prometheus.Gauge({
          ...configuration,
          collect() {
            this.set(read());
          },
        });
  registry.registerMetric(metric);
}

function configurationOf({ name, help, labels }: MetricDeclaration): {
  name: string;
  help: string;
  labelNames: string[];
  registers: prometheus.Registry[];
} {
  return { name, help, labelNames: Object.keys(labels), registers: [] };
}

/** The values as prom-client takes them. */
function plain<L extends Labels>(labels: LabelValues<L>): Record<string, string> {
  return { ...(labels as Readonly<Record<string, string>>) };
}

/** Adds a metric to the registry on its first use, so that metrics without samples aren't shown. */
function shownOnce(registry: prometheus.Registry, metric: prometheus.Metric): () => void {
  let shown = false;
  return () => {
    if (!shown) {
      shown = true;
      registry.registerMetric(metric);
    }
  };
}
