import type { Clock, Logger } from "@weir/base";
import type { Cluster, ImageRegistry } from "@weir/flux";
import type { DaemonMetrics, ReleaseStage } from "../metrics.ts";

/** Runs a stage of a release and measures its duration. */
export async function runTimedStage<T>(
  stage: ReleaseStage,
  { metrics, clock }: ReleaseDependencies,
  act: () => Promise<T> | T,
): Promise<T> {
  const started = clock.now();
  try {
    return await act();
  } finally {
    metrics.observeReleaseStage(stage, (clock.now() - started) / 1000);
  }
}

export interface ReleaseDependencies {
  readonly cluster: Cluster;
  readonly images: ImageRegistry;
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Runs a stage of a release without measuring it. */
export async function runStage<T>(
  _stage: ReleaseStage,
  _deps: ReleaseDependencies,
  act: () => Promise<T> | T,
): Promise<T> {
  return act();
}
