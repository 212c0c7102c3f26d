import type { ResourcePreview } from "@weir/flux";

/** What's wrong with a manifest. */
export interface Problem {
  /** Relative to the compared folder; "" if it isn't about a single file. */
  readonly file: string;
  /** Counted from 1: the line, or else where the document starts; undefined if it isn't known. */
  readonly line: number | undefined;
  readonly message: string;
}

/** How a folder differs from a cluster, or from another folder. */
export interface ComparisonReport {
  /** Sorted by ID; the values of Secrets are hidden. */
  readonly changes: readonly ResourcePreview[];
  /** All that's invalid, sorted by place: files that can't be loaded, and objects that an API server refuses. */
  readonly problems: readonly Problem[];
  /** What the comparison doesn't cover, in sentences. */
  readonly notes: readonly string[];
}
