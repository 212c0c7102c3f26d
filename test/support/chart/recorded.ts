import { readTable } from "../parity.ts";
import type { FluxRelease } from "./installed.ts";

/** What the chart fluxcd/flux 1.13.3 made of some values. */
export interface RecordedRelease extends FluxRelease {
  /** What is special about the values. */
  readonly name: string;
}

/** All recordings of that chart. */
export function recordedReleases(): readonly RecordedRelease[] {
  return readTable("flux-chart/rendered.jsonl") as readonly RecordedRelease[];
}
