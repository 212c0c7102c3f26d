/** The metrics of the console as tables. */
import type {
  CounterDeclaration,
  GaugeDeclaration,
  HistogramDeclaration,
  MetricDeclaration,
} from "@weir/base";
import { jobStates } from "../store/job-states.ts";

/** What the console does. */
export const consoleMetrics = {
  connections: {
    type: "gauge",
    name: "weir_console_connected_daemons",
    help: "Daemons that are connected to this console.",
    labels: {},
    meaning: "Of several consoles, each counts its own.",
    advice: "If the sum drops, look at the list of instances: it says since when each is away.",
  },
  streams: {
    type: "gauge",
    name: "weir_console_streams",
    help: "Browsers and programs that receive live changes from this console.",
    labels: {},
    meaning: "About one for each open page.",
    advice: "Nothing.",
  },
  events: {
    type: "counter",
    name: "weir_console_events_stored_total",
    help: "Events of daemons that this console has stored.",
    labels: {},
    meaning: "Of several consoles, each counts its own. An event that a daemon sends again is stored once.",
    advice: "If it stands still while clusters change, look at the console's log.",
  },
  jobs: {
    type: "gauge",
    name: "weir_console_jobs",
    help: "Jobs in the database, by state.",
    labels: { state: jobStates },
    meaning: "All consoles that share a database say the same.",
    advice:
      "`queued` that doesn't drop: the daemon isn't connected. `lost`: look at the job, and at its daemon.",
  },
  notifications: {
    type: "gauge",
    name: "weir_console_notifications",
    help: "Messages of notifications in the database, by state.",
    labels: { state: ["pending", "sent", "failed"] },
    meaning: "All consoles that share a database say the same.",
    advice: "`failed` that rises, or `pending` that doesn't drop: the list of channels says what's wrong.",
  },
  requests: {
    type: "histogram",
    name: "weir_console_request_duration_seconds",
    help: "How long requests took, by what was asked, and the class of the answer.",
    labels: { of: ["api", "flux", "page"], status: ["2xx", "3xx", "4xx", "5xx"] },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    meaning: "Without streams of live changes. `flux` is Flux's own API, which waits for the daemon.",
    advice: "5xx: look at the console's log. If `api` is slow, look at the load of PostgreSQL.",
  },
} as const satisfies Readonly<Record<string, CounterDeclaration | GaugeDeclaration | HistogramDeclaration>>;

/** The process, under the names that all Prometheus clients use. */
export const processMetrics = {
  build: {
    type: "gauge",
    name: "weir_console_build_info",
    help: "Always 1, with the version of the console.",
    labels: { version: "the version, as in `weir-console --version`" },
    meaning: "Says which version runs where.",
    advice: "Nothing: it's for tables and annotations.",
  },
  memory: {
    type: "gauge",
    name: "process_resident_memory_bytes",
    help: "Resident memory size in bytes.",
    labels: {},
    meaning: "With an embedded database, that's in it.",
    advice: "If it comes near the memory limit, raise the limit.",
  },
  cpu: {
    type: "counter",
    name: "process_cpu_seconds_total",
    help: "Total user and system CPU time spent in seconds.",
    labels: {},
    meaning: "The console itself, without a PostgreSQL server.",
    advice: "If it rises by nearly 1 per second, start another console on the same database.",
  },
  start: {
    type: "gauge",
    name: "process_start_time_seconds",
    help: "Start time of the process since unix epoch in seconds.",
    labels: {},
    meaning: "When the console started.",
    advice: "Frequent restarts: the last lines of the log before each say why.",
  },
} as const satisfies Readonly<Record<string, CounterDeclaration | GaugeDeclaration>>;

/** What a request was for. */
export type RequestKind = (typeof consoleMetrics.requests.labels.of)[number];

/** All metrics of the console. */
export const allConsoleMetrics: readonly MetricDeclaration[] = [
  ...Object.values(consoleMetrics),
  ...Object.values(processMetrics),
];
