import type { Clock, CounterDeclaration, GaugeDeclaration, Metrics } from "@weir/base";

/** Measurements of following a repository. */
export interface GitMetrics {
  setReady(isReady: boolean): void;
  countFetch(success: boolean): void;
}

/** The metrics for git as a table. */
export const gitMetrics = {
  ready: {
    type: "gauge",
    name: "flux_git_ready",
    help: "Status of the git repository.",
    labels: {},
    meaning:
      "1 if fluxd has cloned the repository, can write to it (unless `--git-readonly`), and the last poll worked; otherwise 0. Empty until the first clone or the first failure.",
    advice:
      "While it's 0, nothing new from git reaches the cluster: `fluxctl check` says why. Usually the deploy key is missing or read-only, or the host is away.",
  },
  fetches: {
    type: "counter",
    name: "weir_git_fetches_total",
    help: "How often fluxd has cloned the repository or fetched from it.",
    labels: { success: ["true", "false"] },
    meaning:
      "Every `--git-poll-interval`, when notified, and before each commit. Retries of a failed fetch count too.",
    advice: 'A few with `success="false"` are outages of the git host. If all fail, see `flux_git_ready`.',
  },
  lastFetch: {
    type: "gauge",
    name: "weir_git_last_fetch_timestamp_seconds",
    help: "When fluxd last fetched from the git repository, in seconds since the epoch.",
    labels: {},
    meaning: "Only successful fetches.",
    advice:
      "If it's older than a few `--git-poll-interval`, fluxd doesn't know what is in git: run `fluxctl check`.",
  },
} as const satisfies Readonly<Record<string, CounterDeclaration | GaugeDeclaration>>;

/** Opens the metrics for git. */
export function openGitMetrics(metrics: Metrics, clock: Pick<Clock, "now">): GitMetrics {
  const ready = metrics.gauge(gitMetrics.ready);
  const fetches = metrics.counter(gitMetrics.fetches);
  const lastFetch = metrics.gauge(gitMetrics.lastFetch);
  return {
    setReady: (isReady) => ready.set({}, Number(isReady)),
    countFetch(success) {
      fetches.add({ success: `${success}` });
      if (success) {
        lastFetch.set({}, clock.now() / 1000);
      }
    },
  };
}
