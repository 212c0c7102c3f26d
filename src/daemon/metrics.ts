import type { Metrics } from "@weir/base";
import type { Suspendable } from "../api/types/suspension.ts";
import { latestImageSpec, type ReleaseSpec, releaseKindOf } from "../update/spec.ts";

/** The stages of a release that are timed separately. */
export type ReleaseStage = "select_workloads" | "lookup_images" | "write_changes" | "verify_changes";

/** The daemon's metrics, under Flux v1's names; durations in seconds. */
export interface DaemonMetrics {
  observeSync(success: boolean, seconds: number): void;
  observeJob(success: boolean, seconds: number): void;
  observeQueueTime(seconds: number): void;
  setQueueLength(length: number): void;
  setSyncManifests(applied: number, failed: number): void;
  observeRelease(spec: ReleaseSpec, success: boolean, seconds: number): void;
  observeReleaseStage(stage: ReleaseStage, seconds: number): void;
  setSuspended(what: Suspendable, isSuspended: boolean): void;
}

const jobBuckets = [0.1, 0.5, 1, 2, 5, 10, 15, 20, 30, 45, 60, 120];

const releaseBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

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
  const release = metrics.histogram({
    name: "flux_fluxsvc_release_duration_seconds",
    help: "Release method duration in seconds.",
    labels: ["release_type", "release_kind", "success"],
    buckets: releaseBuckets,
  });
  const releaseStage = metrics.histogram({
    name: "flux_fluxsvc_release_stage_duration_seconds",
    help: "Duration in seconds of each stage of a release, including dry-runs.",
    labels: ["stage"],
    buckets: releaseBuckets,
  });
  const suspended = metrics.gauge({
    name: "weir_suspended",
    help: "Whether somebody has suspended syncing or automated image updates (1) or not (0).",
    labels: ["what"],
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
    observeRelease: (spec, success, seconds) => release.observe(releaseLabels(spec, success), seconds),
    observeReleaseStage: (stage, seconds) => releaseStage.observe({ stage }, seconds),
    setSuspended: (what, isSuspended) => suspended.set({ what }, Number(isSuspended)),
  };
}

/** An unknown kind counts as "other", so that callers can't create new series. */
function releaseLabels(spec: ReleaseSpec, success: boolean): Readonly<Record<string, string>> {
  const kind = releaseKindOf(spec);
  return {
    release_type: releaseTypeOf(spec),
    release_kind: kind === "plan" || kind === "execute" ? kind : "other",
    success: String(success),
  };
}

function releaseTypeOf(spec: ReleaseSpec): string {
  switch (spec.type) {
    case "image":
      return spec.spec.image === latestImageSpec ? "latest_images" : "specific_image";
    case "containers":
      return "containers";
    case "auto":
      return "automated";
  }
}
