import type { Metrics } from "../base/metrics.ts";

/** What the daemon counts, under Flux v1's names; durations in seconds. */
export interface DaemonMetrics {
  observeSync(success: boolean, seconds: number): void;
  observeJob(success: boolean, seconds: number): void;
  observeQueueTime(seconds: number): void;
  setQueueLength(length: number): void;
  setSyncManifests(applied: number, failed: number): void;
}

const jobBuckets = [0.1, 0.5, 1, 2, 5, 10, 15, 20, 30, 45, 60, 120];

/** Declares the daemon's metrics. */
export function declareDaemonMetrics(metrics: Metrics): DaemonMetrics {
  const sync = metrics.histogram({
    name: "flux_daemon_sync_duration_seconds",
    help: "Duration of git-to-cluster synchronisation, in seconds.",
    labels: ["success"],
    buckets: [0.5, 5, 10, 20, 30, 40, 50, 60, 75, 90, 120, 240],
  });
  const job = metrics.histogram({
    name: "flux_daemon_job_duration_seconds",
    help: "Duration of job execution, in seconds.",
    labels: ["success"],
    buckets: jobBuckets,
  });
  const queueTime = metrics.histogram({
    name: "flux_daemon_queue_duration_seconds",
    help: "Duration of time spent in the job queue before execution, in seconds.",
    labels: [],
    buckets: jobBuckets,
  });
  const queueLength = metrics.gauge({
    name: "flux_daemon_queue_length_count",
    help: "Count of jobs waiting in the queue to be run.",
    labels: [],
  });
  const manifests = metrics.gauge({
    name: "flux_daemon_sync_manifests",
    help: "Number of synchronized manifests",
    labels: ["success"],
  });
  return {
    observeSync: (success, seconds) => sync.observe({ success: String(success) }, seconds),
    observeJob: (success, seconds) => job.observe({ success: String(success) }, seconds),
    observeQueueTime: (seconds) => queueTime.observe({}, seconds),
    setQueueLength: (length) => queueLength.set({}, length),
    setSyncManifests: (applied, failed) => {
      manifests.set({ success: "true" }, applied);
      manifests.set({ success: "false" }, failed);
    },
  };
}
