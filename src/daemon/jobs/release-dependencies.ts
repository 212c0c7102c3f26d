import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/logger.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { ImageRegistry } from "../../image/registry.ts";
import type { DaemonMetrics, ReleaseStage } from "../metrics.ts";

/** What a release works with. */
export interface ReleaseDependencies {
  readonly cluster: Cluster;
  readonly images: ImageRegistry;
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Does a part of a release, and counts how long it takes. */
export async function timed<T>(
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

/** Does a part of a release. */
export async function untimed<T>(
  _stage: ReleaseStage,
  _deps: ReleaseDependencies,
  act: () => Promise<T> | T,
): Promise<T> {
  return act();
}
