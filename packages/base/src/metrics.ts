/** The declaration of a metric: its name, its help text, and the labels of its samples. */
export interface MetricDeclaration {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** The declaration of a histogram, including the upper bounds of its buckets in ascending order. */
export interface HistogramDeclaration extends MetricDeclaration {
  readonly buckets: readonly number[];
}

/** The values of the declared labels. */
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
 * Subsystems declare their metrics here, each in its metrics.ts. A name can be declared only once. A metric is shown
 * from its first sample on.
 */
export interface Metrics {
  counter(declaration: MetricDeclaration): Counter;
  gauge(declaration: MetricDeclaration): Gauge;
  histogram(declaration: HistogramDeclaration): Histogram;
  /** A gauge without labels whose value is read whenever metrics are requested. */
  collected(declaration: Omit<MetricDeclaration, "labels">, read: () => number): void;
}
