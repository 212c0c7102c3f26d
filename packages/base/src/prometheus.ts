import * as prometheus from "prom-client";
import type {
  Counter,
  Gauge,
  Histogram,
  HistogramDeclaration,
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

/** A new, empty registry; there's no global one. */
export function createMetricsRegistry(): MetricsRegistry {
  const registry = new prometheus.Registry();
  const names = new Set<string>();
  function claim(name: string): void {
    if (names.has(name)) {
      throw new Error(`the metric ${name} is declared twice`);
    }
    names.add(name);
  }
  return {
    contentType: prometheus.Registry.PROMETHEUS_CONTENT_TYPE,
    exposition: () => registry.metrics(),
    counter: (declaration) => declareCounter(registry, claimed(declaration, claim)),
    gauge: (declaration) => declareGauge(registry, claimed(declaration, claim)),
    histogram: (declaration) => declareHistogram(registry, claimed(declaration, claim)),
    collected: (declaration, read) => declareCollected(registry, claimed(declaration, claim), read),
  };
}

function claimed<D extends { readonly name: string }>(declaration: D, claim: (name: string) => void): D {
  claim(declaration.name);
  return declaration;
}

function declareCounter(registry: prometheus.Registry, declaration: MetricDeclaration): Counter {
  const counter = new prometheus.Counter(configurationOf(declaration));
  const show = shownOnce(registry, counter);
  return {
    add: (labels, amount = 1) => {
      show();
      counter.inc({ ...labels }, amount);
    },
  };
}

function declareGauge(registry: prometheus.Registry, declaration: MetricDeclaration): Gauge {
  const gauge = new prometheus.Gauge(configurationOf(declaration));
  const show = shownOnce(registry, gauge);
  return {
    set: (labels, value) => {
      show();
      gauge.set({ ...labels }, value);
    },
  };
}

function declareHistogram(registry: prometheus.Registry, declaration: HistogramDeclaration): Histogram {
  const histogram = new prometheus.Histogram({
    ...configurationOf(declaration),
    buckets: [...declaration.buckets],
  });
  const show = shownOnce(registry, histogram);
  return {
    observe: (labels, value) => {
      show();
      histogram.observe({ ...labels }, value);
    },
  };
}

function declareCollected(
  registry: prometheus.Registry,
  declaration: Omit<MetricDeclaration, "labels">,
  read: () => number,
): void {
  const gauge = new prometheus.Gauge({
    ...configurationOf({ ...declaration, labels: [] }),
    collect() {
      this.set(read());
    },
  });
  registry.registerMetric(gauge);
}

function configurationOf({ name, help, labels }: MetricDeclaration): {
  name: string;
  help: string;
  labelNames: string[];
  registers: prometheus.Registry[];
} {
  return { name, help, labelNames: [...labels], registers: [] };
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
