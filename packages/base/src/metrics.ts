/** What a metric is: its name, the help text on its line, and the labels that its samples bear. */
export interface MetricDeclaration {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** A histogram's declaration: also the upper bounds of its buckets, ascending. */
export interface HistogramDeclaration extends MetricDeclaration {
  readonly buckets: readonly number[];
}

/** Values of the declared labels. */
export type LabelValues = Readonly<Record<string, string>>;

/** Counts up. */
export interface Counter {
  add(labels: LabelValues, amount?: number): void;
}

/** Goes up and down. */
export interface Gauge {
  set(labels: LabelValues, value: number): void;
}

/** Counts observations by size. */
export interface Histogram {
  observe(labels: LabelValues, value: number): void;
}

/**
 * Where subsystems declare their metrics, each in its metrics.ts. A name can be declared once. A metric is
 * shown from its first sample on.
 */
export interface Metrics {
  counter(declaration: MetricDeclaration): Counter;
  gauge(declaration: MetricDeclaration): Gauge;
  histogram(declaration: HistogramDeclaration): Histogram;
  /** A gauge without labels that is read whenever metrics are asked for. */
  collected(declaration: Omit<MetricDeclaration, "labels">, read: () => number): void;
}
