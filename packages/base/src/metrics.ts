/**
 * The labels of a metric: for each, all values that it can have, or, where an installation has only one value, what
 * that is. Nobody outside can choose a value, so nobody can create new series.
 */
export type Labels = Readonly<Record<string, readonly string[] | string>>;

/** What a metric is, for the program and for people. */
export interface MetricDeclaration<L extends Labels = Labels> {
  readonly type: "counter" | "gauge" | "histogram";
  readonly name: string;
  /** The text at /metrics: one line. */
  readonly help: string;
  readonly labels: L;
  /** What operators should know beyond `help`: when it changes, and what it leaves out. Markdown. */
  readonly meaning: string;
  /** What to do about unusual values. Markdown. */
  readonly advice: string;
}

export interface CounterDeclaration<L extends Labels = Labels> extends MetricDeclaration<L> {
  readonly type: "counter";
}

export interface GaugeDeclaration<L extends Labels = Labels> extends MetricDeclaration<L> {
  readonly type: "gauge";
}

/** The declaration of a histogram, including the upper bounds of its buckets in ascending order. */
export interface HistogramDeclaration<L extends Labels = Labels> extends MetricDeclaration<L> {
  readonly type: "histogram";
  readonly buckets: readonly number[];
}

/** A metric without labels whose value is read whenever metrics are requested. */
export type CollectedDeclaration = (CounterDeclaration | GaugeDeclaration) & {
  readonly labels: Readonly<Record<string, never>>;
};

/** A value for each declared label. */
export type LabelValues<L extends Labels> = {
  readonly [Name in keyof L]: L[Name] extends readonly (infer Value extends string)[] ? Value : string;
};

/** Counts up. */
export interface Counter<L extends Labels = Labels> {
  add(labels: LabelValues<L>, amount?: number): void;
}

/** Goes up and down. */
export interface Gauge<L extends Labels = Labels> {
  set(labels: LabelValues<L>, value: number): void;
}

/** Counts observations by size. */
export interface Histogram<L extends Labels = Labels> {
  observe(labels: LabelValues<L>, value: number): void;
}

/**
 * Where subsystems put their measurements. Each declares its metrics as a table in its metrics.ts, and each metric can
 * be opened only once. A metric is shown from its first sample on.
 */
export interface Metrics {
  counter<L extends Labels>(declaration: CounterDeclaration<L>): Counter<L>;
  gauge<L extends Labels>(declaration: GaugeDeclaration<L>): Gauge<L>;
  histogram<L extends Labels>(declaration: HistogramDeclaration<L>): Histogram<L>;
  /** Shows what `read` returns, from now on. */
  collected(declaration: CollectedDeclaration, read: () => number): void;
}
