import type { CounterDeclaration, GaugeDeclaration, HistogramDeclaration, Metrics } from "@weir/base";
import { latestImageSpec, type ReleaseSpec, releaseKindOf, type SyncedChange } from "@weir/flux";
import { type LastSyncReport, type Suspendable, suspendable } from "@weir/flux/api";
import type { DoneSync } from "./history/ring.ts";

const releaseStages = ["select_workloads", "lookup_images", "write_changes", "verify_changes"] as const;

/** The stages of a release that are timed separately. */
export type ReleaseStage = (typeof releaseStages)[number];

/** The daemon's metrics; those of Flux v1 under its names. Durations in seconds. */
export interface DaemonMetrics {
  observeSync(success: boolean, seconds: number): void;
  observeJob(success: boolean, seconds: number): void;
  observeQueueTime(seconds: number): void;
  setQueueLength(length: number): void;
  setSyncManifests(applied: number, failed: number): void;
  observeRelease(spec: ReleaseSpec, success: boolean, seconds: number): void;
  observeReleaseStage(stage: ReleaseStage, seconds: number): void;
  setSuspended(what: Suspendable, isSuspended: boolean): void;
  /** How the last sync ended, and what the current one waits for. */
  setLastSync(last: LastSyncReport): void;
  /** What a sync did to the cluster. */
  countChanges(done: Pick<DoneSync, "kind" | "changes">): void;
  countImagePoll(success: boolean): void;
  /** Whether the head of the branch passes the verification of signatures. */
  setHeadVerified(isVerified: boolean): void;
}

const success = ["true", "false"] as const;

const jobBuckets = [0.1, 0.5, 1, 2, 5, 10, 15, 20, 30, 45, 60, 120];

const releaseBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The daemon's metrics as a table. */
export const daemonMetrics = {
  sync: {
    type: "histogram",
    name: "flux_daemon_sync_duration_seconds",
    help: "Duration of git-to-cluster synchronisation, in seconds.",
    labels: { success },
    buckets: [0.5, 5, 10, 20, 30, 40, 50, 60, 75, 90, 120, 240],
    meaning:
      'Each finished sync counts once. As in Flux v1, a sync that applied only some of the manifests counts as `success="true"`. The time includes what the sync waited for, such as hooks.',
    advice:
      'If `success="false"` counts up, nothing was synced: `fluxctl check` says why. If syncs take longer and longer, compare with `--sync-timeout`.',
  },
  lastSync: {
    type: "gauge",
    name: "weir_last_sync_timestamp_seconds",
    help: "When the last sync with this outcome ended, in seconds since the epoch.",
    labels: { outcome: ["complete", "partial", "failed"] },
    meaning:
      "`complete`: the cluster has everything that is in git. `partial`: some manifests were not applied. `failed`: the sync ended with an error, or was refused. Starts empty with each start of fluxd; a sync that was suspended doesn't count.",
    advice:
      "If `complete` is older than a few `--sync-interval`, the cluster differs from git: see `fluxctl status`, which lists what failed.",
  },
  manifests: {
    type: "gauge",
    name: "flux_daemon_sync_manifests",
    help: "Number of synchronized manifests",
    labels: { success },
    meaning:
      'The last sync that reached the cluster: `success="false"` are the manifests that were not applied.',
    advice:
      "`fluxctl status` and fluxd's log name the manifests and the errors. A sudden fall of `success=\"true\"` means that manifests have left git: with garbage collection, they're deleted.",
  },
  changes: {
    type: "counter",
    name: "weir_sync_changes_total",
    help: "Objects that syncs have changed in the cluster.",
    labels: { kind: ["sync", "drift"], change: ["created", "changed", "deleted"] },
    meaning:
      "`sync`: because of new commits. `drift`: nothing was new in git, but somebody else had changed the cluster, which was put back, or an earlier sync could not do it.",
    advice:
      "If `drift` goes on, two writers disagree: `fluxctl history` names the objects, and `fluxctl why` the fields. If `deleted` is more than you expect, run `fluxctl history`, and `fluxctl suspend` first if it goes on.",
  },
  waiting: {
    type: "gauge",
    name: "weir_sync_waiting_resources",
    help: "Resources that the current sync waits for.",
    labels: {},
    meaning: "Hooks, and the resources of a wave, that must be ready before the sync goes on. Usually 0.",
    advice: "If it stays above 0, `fluxctl status` names them: repair them, or push a commit without them.",
  },
  suspended: {
    type: "gauge",
    name: "weir_suspended",
    help: "Whether somebody has suspended syncing or automated image updates (1) or not (0).",
    labels: { what: suspendable },
    meaning: "`fluxctl suspend` sets it, and `fluxctl resume` or the end of the suspension resets it.",
    advice: "`fluxctl status` says who has suspended it and why. End it with `fluxctl resume`.",
  },
  headVerified: {
    type: "gauge",
    name: "weir_git_head_verified",
    help: "Whether the head of the branch passes the verification of signatures (1) or not (0).",
    labels: {},
    meaning:
      "Only with `--git-verify-signatures-mode` or `--git-verify-signatures`. While it's 0, the last verified commit before the head is synced, or none.",
    advice:
      "Find out who made the commit: `fluxctl check` names it and the reason. If it's legitimate, import the missing key with `--git-gpg-key-import`, or sign it again.",
  },
  job: {
    type: "histogram",
    name: "flux_daemon_job_duration_seconds",
    help: "Duration of job execution, in seconds.",
    labels: { success },
    buckets: jobBuckets,
    meaning:
      "Jobs are releases, policy changes, and the commits of automated updates; each commits and pushes. A release that only plans is no job.",
    advice:
      'If `success="false"` counts up, look for `success=false` in fluxd\'s log: often git refuses the push. `fluxctl check` tries it.',
  },
  queueTime: {
    type: "histogram",
    name: "flux_daemon_queue_duration_seconds",
    help: "Duration of time spent in the job queue before execution, in seconds.",
    labels: {},
    buckets: jobBuckets,
    meaning: "How long jobs wait for those before them, and for syncs.",
    advice: "If it grows, syncs or pushes take long: see their durations.",
  },
  queueLength: {
    type: "gauge",
    name: "flux_daemon_queue_length_count",
    help: "Count of jobs waiting in the queue to be run.",
    labels: {},
    meaning: "At most 1,000: fluxd refuses further requests.",
    advice:
      "If it stays above 0, somebody sends more requests than fluxd can commit. fluxd's log names the jobs.",
  },
  release: {
    type: "histogram",
    name: "flux_fluxsvc_release_duration_seconds",
    help: "Release method duration in seconds.",
    labels: {
      release_type: ["latest_images", "specific_image", "containers", "automated"],
      release_kind: ["plan", "execute", "other"],
      success,
    },
    buckets: releaseBuckets,
    meaning: "The calculation and the edits of a release, without commit and push.",
    advice: 'If `success="false"` counts up, the answer of `fluxctl release` has the reason.',
  },
  releaseStage: {
    type: "histogram",
    name: "flux_fluxsvc_release_stage_duration_seconds",
    help: "Duration in seconds of each stage of a release, including dry-runs.",
    labels: { stage: releaseStages },
    buckets: releaseBuckets,
    meaning: "Which part of a release takes its time.",
    advice:
      "`lookup_images` reads the cache of image metadata; `write_changes` edits files, and runs the updaters of `.flux.yaml` files.",
  },
  imagePolls: {
    type: "counter",
    name: "weir_image_polls_total",
    help: "How often fluxd has looked for newer images of automated workloads.",
    labels: { success },
    meaning: "Every `--automation-interval`, and when a registry has something new.",
    advice:
      "If `success=\"false\"` counts up, automated updates don't happen: fluxd's log has the error, with `component=sync-loop`.",
  },
} as const satisfies Readonly<Record<string, CounterDeclaration | GaugeDeclaration | HistogramDeclaration>>;

/** Opens the daemon's metrics. */
export function openDaemonMetrics(metrics: Metrics): DaemonMetrics {
  const sync = metrics.histogram(daemonMetrics.sync);
  const lastSync = metrics.gauge(daemonMetrics.lastSync);
  const manifests = metrics.gauge(daemonMetrics.manifests);
  const changes = metrics.counter(daemonMetrics.changes);
  const waiting = metrics.gauge(daemonMetrics.waiting);
  const suspended = metrics.gauge(daemonMetrics.suspended);
  const headVerified = metrics.gauge(daemonMetrics.headVerified);
  const job = metrics.histogram(daemonMetrics.job);
  const queueTime = metrics.histogram(daemonMetrics.queueTime);
  const queueLength = metrics.gauge(daemonMetrics.queueLength);
  const release = metrics.histogram(daemonMetrics.release);
  const releaseStage = metrics.histogram(daemonMetrics.releaseStage);
  const imagePolls = metrics.counter(daemonMetrics.imagePolls);
  return {
    observeSync: (success, seconds) => sync.observe({ success: `${success}` }, seconds),
    observeJob: (success, seconds) => job.observe({ success: `${success}` }, seconds),
    observeQueueTime: (seconds) => queueTime.observe({}, seconds),
    setQueueLength: (length) => queueLength.set({}, length),
    setSyncManifests: (applied, failed) => {
      manifests.set({ success: "true" }, applied);
      manifests.set({ success: "false" }, failed);
    },
    observeRelease: (spec, success, seconds) =>
      release.observe({ ...releaseLabels(spec), success: `${success}` }, seconds),
    observeReleaseStage: (stage, seconds) => releaseStage.observe({ stage }, seconds),
    setSuspended: (what, isSuspended) => suspended.set({ what }, Number(isSuspended)),
    setLastSync: (last) => {
      waiting.set({}, last.waitingFor.length);
      if (last.endedAt !== undefined) {
        lastSync.set({ outcome: outcomeOf(last) }, last.endedAt.getTime() / 1000);
      }
    },
    countChanges: ({ kind, changes: done }) => {
      for (const change of ["created", "changed", "deleted"] satisfies SyncedChange["what"][]) {
        changes.add({ kind, change }, done.filter(({ what }) => what === change).length);
      }
    },
    countImagePoll: (success) => imagePolls.add({ success: `${success}` }),
    setHeadVerified: (isVerified) => headVerified.set({}, Number(isVerified)),
  };
}

function outcomeOf({ failure, errors }: LastSyncReport): "complete" | "partial" | "failed" {
  return failure !== "" ? "failed" : errors.length > 0 ? "partial" : "complete";
}

/** An unknown kind counts as "other", so that callers can't create new series. */
function releaseLabels(spec: ReleaseSpec) {
  const kind: string = releaseKindOf(spec);
  const known = daemonMetrics.release.labels.release_kind.find((each) => each === kind);
  return { release_type: releaseTypeOf(spec), release_kind: known ?? "other" } as const;
}

function releaseTypeOf(spec: ReleaseSpec) {
  switch (spec.type) {
    case "image":
      return spec.spec.image === latestImageSpec ? "latest_images" : "specific_image";
    case "containers":
      return "containers";
    case "auto":
      return "automated";
  }
}
