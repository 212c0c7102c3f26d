/** What the dashboard of fluxd shows: panels in the order of reading, as the queries and their units. */

/** A graph, or a number if `kind` is "stat". */
export interface PanelSpec {
  readonly kind: "graph" | "stat";
  readonly title: string;
  /** What the viewer should know; Markdown. */
  readonly description: string;
  readonly unit: "short" | "s" | "bytes" | "percentunit" | "ops" | "dateTimeFromNow" | "bool_on_off" | "none";
  /** In columns of 24. */
  readonly width: number;
  readonly queries: readonly Query[];
  /** From which value on it's yellow or red; green below. If `low`, from which value on it's green; red below. */
  readonly alarm?: { readonly warning?: number; readonly critical?: number } | { readonly low: number };
}

/** A query; the selector of the chosen processes stands as $chosen. */
export interface Query {
  readonly expr: string;
  /** How its lines are called, with labels in {{}}. */
  readonly legend: string;
}

/** A row of the dashboard. */
export interface RowSpec {
  readonly title: string;
  readonly panels: readonly PanelSpec[];
}

export const rows: readonly RowSpec[] = [
  {
    title: "Is everything in the cluster?",
    panels: [
      {
        kind: "stat",
        title: "Last complete sync",
        description: "When the cluster last had everything that is in git.",
        unit: "dateTimeFromNow",
        width: 4,
        queries: [
          { expr: 'max(weir_last_sync_timestamp_seconds{$chosen,outcome="complete"}) * 1000', legend: "" },
        ],
      },
      {
        kind: "stat",
        title: "Manifests not applied",
        description: "`fluxctl status` names them.",
        unit: "short",
        width: 4,
        alarm: { critical: 1 },
        queries: [{ expr: 'sum(flux_daemon_sync_manifests{$chosen,success="false"})', legend: "" }],
      },
      {
        kind: "stat",
        title: "Manifests applied",
        description: "In the last sync that reached the cluster.",
        unit: "short",
        width: 4,
        queries: [{ expr: 'sum(flux_daemon_sync_manifests{$chosen,success="true"})', legend: "" }],
      },
      {
        kind: "stat",
        title: "Git",
        description:
          "`ready` is 0 if the repository can't be read or written to, `verified` if the branch has a commit without a valid signature: `fluxctl check` says why. `verified` is missing if fluxd doesn't verify signatures.",
        unit: "none",
        width: 4,
        alarm: { low: 1 },
        queries: [
          { expr: "min(flux_git_ready{$chosen})", legend: "ready" },
          { expr: "min(weir_git_head_verified{$chosen})", legend: "verified" },
        ],
      },
      {
        kind: "stat",
        title: "Suspended",
        description: "How much somebody has suspended: syncs, image updates. `fluxctl status` says by whom.",
        unit: "short",
        width: 4,
        alarm: { warning: 1 },
        queries: [{ expr: "sum(weir_suspended{$chosen})", legend: "" }],
      },
      {
        kind: "stat",
        title: "fluxd runs since",
        description: "And which version.",
        unit: "dateTimeFromNow",
        width: 4,
        queries: [
          {
            expr: "process_start_time_seconds{$chosen} * on (job, instance) group_right() weir_build_info{$chosen} * 1000",
            legend: "{{version}}",
          },
        ],
      },
    ],
  },
  {
    title: "Syncs",
    panels: [
      {
        kind: "graph",
        title: "Syncs by outcome",
        description: "As in Flux v1, a sync that applied only some manifests counts as a success.",
        unit: "short",
        width: 8,
        queries: [
          {
            expr: "sum by (success) (increase(flux_daemon_sync_duration_seconds_count{$chosen}[$__rate_interval]))",
            legend: "success={{success}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Duration of syncs",
        description: "The mean, and what 9 of 10 syncs stay below.",
        unit: "s",
        width: 8,
        queries: [
          {
            expr: "sum(increase(flux_daemon_sync_duration_seconds_sum{$chosen}[$__range])) / sum(increase(flux_daemon_sync_duration_seconds_count{$chosen}[$__range]))",
            legend: "mean",
          },
          {
            expr: "histogram_quantile(0.9, sum by (le) (increase(flux_daemon_sync_duration_seconds_bucket{$chosen}[$__range])))",
            legend: "9 of 10",
          },
        ],
      },
      {
        kind: "graph",
        title: "Manifests",
        description: "Of the last sync that reached the cluster.",
        unit: "short",
        width: 8,
        queries: [
          { expr: "sum by (success) (flux_daemon_sync_manifests{$chosen})", legend: "applied={{success}}" },
        ],
      },
      {
        kind: "graph",
        title: "Changes in the cluster",
        description: "`sync`: because of commits. `drift`: put back because somebody else had changed it.",
        unit: "short",
        width: 8,
        queries: [
          {
            expr: "sum by (kind, change) (increase(weir_sync_changes_total{$chosen}[$__rate_interval]))",
            legend: "{{change}} ({{kind}})",
          },
        ],
      },
      {
        kind: "graph",
        title: "Resources that a sync waits for",
        description: "Hooks, and those of a wave.",
        unit: "short",
        width: 8,
        queries: [
          { expr: "sum by (instance) (weir_sync_waiting_resources{$chosen})", legend: "{{instance}}" },
        ],
      },
      {
        kind: "graph",
        title: "Time since the last sync",
        description: "By its outcome.",
        unit: "s",
        width: 8,
        queries: [
          {
            expr: "time() - max by (outcome) (weir_last_sync_timestamp_seconds{$chosen})",
            legend: "{{outcome}}",
          },
        ],
      },
    ],
  },
  {
    title: "Git, jobs, and releases",
    panels: [
      {
        kind: "graph",
        title: "Clones and fetches",
        description: "Failed ones are outages of the git host, if not all fail.",
        unit: "short",
        width: 8,
        queries: [
          {
            expr: "sum by (success) (increase(weir_git_fetches_total{$chosen}[$__rate_interval]))",
            legend: "success={{success}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Time since the last fetch",
        description: "At most `--git-poll-interval` if all is well.",
        unit: "s",
        width: 8,
        queries: [
          {
            expr: "time() - weir_git_last_fetch_timestamp_seconds{$chosen}",
            legend: "{{instance}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Jobs",
        description: "Releases, policy changes, and automated updates, which each commit and push.",
        unit: "short",
        width: 8,
        queries: [
          {
            expr: "sum by (success) (increase(flux_daemon_job_duration_seconds_count{$chosen}[$__rate_interval]))",
            legend: "success={{success}}",
          },
          { expr: "sum(flux_daemon_queue_length_count{$chosen})", legend: "waiting" },
        ],
      },
      {
        kind: "graph",
        title: "Duration of jobs",
        description: "The mean of running and of waiting before.",
        unit: "s",
        width: 8,
        queries: [
          {
            expr: "sum(increase(flux_daemon_job_duration_seconds_sum{$chosen}[$__range])) / sum(increase(flux_daemon_job_duration_seconds_count{$chosen}[$__range]))",
            legend: "running",
          },
          {
            expr: "sum(increase(flux_daemon_queue_duration_seconds_sum{$chosen}[$__range])) / sum(increase(flux_daemon_queue_duration_seconds_count{$chosen}[$__range]))",
            legend: "waiting",
          },
        ],
      },
      {
        kind: "graph",
        title: "Releases",
        description: "Calculations of releases, also of those that change nothing.",
        unit: "short",
        width: 8,
        queries: [
          {
            expr: "sum by (release_type, success) (increase(flux_fluxsvc_release_duration_seconds_count{$chosen}[$__rate_interval]))",
            legend: "{{release_type}}, success={{success}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Stages of releases",
        description: "The mean of each.",
        unit: "s",
        width: 8,
        queries: [
          {
            expr: "sum by (stage) (increase(flux_fluxsvc_release_stage_duration_seconds_sum{$chosen}[$__range])) / sum by (stage) (increase(flux_fluxsvc_release_stage_duration_seconds_count{$chosen}[$__range]))",
            legend: "{{stage}}",
          },
        ],
      },
    ],
  },
  {
    title: "Images",
    panels: [
      {
        kind: "graph",
        title: "Image repositories in use",
        description: "By the result of their last scan: `fluxctl check` names those that failed.",
        unit: "short",
        width: 8,
        queries: [{ expr: "sum by (state) (weir_image_repositories{$chosen})", legend: "{{state}}" }],
      },
      {
        kind: "graph",
        title: "Scans, and looks for newer images",
        description: "Scans read registries; looks compare what they found with the workloads.",
        unit: "short",
        width: 8,
        queries: [
          {
            expr: "sum by (success) (increase(weir_registry_scans_total{$chosen}[$__rate_interval]))",
            legend: "scans, success={{success}}",
          },
          {
            expr: "sum by (success) (increase(weir_image_polls_total{$chosen}[$__rate_interval]))",
            legend: "looks, success={{success}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Requests to registries and the cache",
        description: "For the cache, `false` includes what isn't in it yet.",
        unit: "ops",
        width: 8,
        queries: [
          {
            expr: "sum by (kind, success) (rate(flux_client_fetch_duration_seconds_count{$chosen}[$__rate_interval]))",
            legend: "registry {{kind}}, success={{success}}",
          },
          {
            expr: "sum by (method, success) (rate(flux_cache_request_duration_seconds_count{$chosen}[$__rate_interval]))",
            legend: "cache {{method}}, success={{success}}",
          },
          {
            expr: "sum by (success) (rate(flux_registry_fetch_duration_seconds_count{$chosen}[$__rate_interval]))",
            legend: "queries, success={{success}}",
          },
        ],
      },
    ],
  },
  {
    title: "Kubernetes, API, and process",
    panels: [
      {
        kind: "graph",
        title: "Requests to Kubernetes",
        description: "By method; watches count when they begin.",
        unit: "ops",
        width: 8,
        queries: [
          {
            expr: "sum by (method) (rate(weir_kube_requests_total{$chosen}[$__rate_interval]))",
            legend: "{{method}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Failed requests to Kubernetes",
        description: "`not_found`, `conflict`, and `gone` are part of normal work.",
        unit: "short",
        width: 8,
        queries: [
          {
            expr: "sum by (method, reason) (increase(weir_kube_request_failures_total{$chosen}[$__rate_interval]))",
            legend: "{{method}} {{reason}}",
          },
          { expr: "sum(weir_kube_unavailable_apis{$chosen})", legend: "unavailable APIs" },
        ],
      },
      {
        kind: "graph",
        title: "Responses of fluxd",
        description: "503: too many requests at once. 401 and 403: somebody who may not ask.",
        unit: "ops",
        width: 8,
        queries: [
          {
            expr: "sum by (code) (rate(weir_http_responses_total{$chosen}[$__rate_interval]))",
            legend: "{{code}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Webhooks",
        description: "Only with `--listen-webhooks`.",
        unit: "short",
        width: 8,
        queries: [
          {
            expr: "sum by (source, outcome) (increase(weir_webhook_requests_total{$chosen}[$__rate_interval]))",
            legend: "{{source}} {{outcome}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Connection to the upstream",
        description: "Only with `--connect`; 0 while it isn't connected.",
        unit: "s",
        width: 8,
        queries: [{ expr: "flux_fluxd_connection_duration_seconds{$chosen}", legend: "{{target}}" }],
      },
      {
        kind: "graph",
        title: "CPU",
        description: "Of fluxd itself, in processors.",
        unit: "percentunit",
        width: 8,
        queries: [
          { expr: "rate(process_cpu_seconds_total{$chosen}[$__rate_interval])", legend: "{{instance}}" },
        ],
      },
      {
        kind: "graph",
        title: "Memory",
        description: "Of fluxd itself, without git and generators.",
        unit: "bytes",
        width: 8,
        queries: [{ expr: "process_resident_memory_bytes{$chosen}", legend: "{{instance}}" }],
      },
      {
        kind: "graph",
        title: "Files and connections",
        description: "Part of the most that the process can open.",
        unit: "percentunit",
        width: 8,
        queries: [{ expr: "process_open_fds{$chosen} / process_max_fds{$chosen}", legend: "{{instance}}" }],
      },
    ],
  },
];
