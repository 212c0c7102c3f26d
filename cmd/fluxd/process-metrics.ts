import { readdirSync, readFileSync } from "node:fs";
import { type CounterDeclaration, type GaugeDeclaration, type Metrics, version } from "@weir/base";

const openFilesFolder = "/proc/self/fd";

/** The metrics of the process as a table, under the names that all Prometheus clients use. */
export const processMetrics = {
  build: {
    type: "gauge",
    name: "weir_build_info",
    help: "Always 1, with the version of fluxd.",
    labels: { version: "the version, as in `fluxd --version`" },
    meaning: "Says which version runs where, and in graphs, when it changed.",
    advice: "Nothing: it's for tables and annotations.",
  },
  memory: {
    type: "gauge",
    name: "process_resident_memory_bytes",
    help: "Resident memory size in bytes.",
    labels: {},
    meaning: "fluxd itself, without git and generators, which run as processes of their own.",
    advice:
      "If it comes near the memory limit of the pod, raise the limit. [Performance](performance.md) says how much is usual.",
  },
  cpu: {
    type: "counter",
    name: "process_cpu_seconds_total",
    help: "Total user and system CPU time spent in seconds.",
    labels: {},
    meaning: "fluxd itself, without git and generators.",
    advice: "If it rises by more than 0.5 per second for hours, take a profile at `/debug/pprof/profile`.",
  },
  start: {
    type: "gauge",
    name: "process_start_time_seconds",
    help: "Start time of the process since unix epoch in seconds.",
    labels: {},
    meaning: "When fluxd started. If it changes, fluxd has restarted.",
    advice: "Frequent restarts: the last lines of the log before each (`kubectl logs --previous`) say why.",
  },
  openFiles: {
    type: "gauge",
    name: "process_open_fds",
    help: "Number of open file descriptors.",
    labels: {},
    meaning: "Files and connections. Linux only.",
    advice: "If it comes near `process_max_fds`, somebody opens very many connections.",
  },
  mostFiles: {
    type: "gauge",
    name: "process_max_fds",
    help: "Maximum number of open file descriptors.",
    labels: {},
    meaning: "The limit for `process_open_fds`. Linux only.",
    advice: "The container runtime sets it.",
  },
} as const satisfies Readonly<Record<string, CounterDeclaration | GaugeDeclaration>>;

/** Shows the metrics of this process. */
export function openProcessMetrics(metrics: Metrics): void {
  metrics.gauge(processMetrics.build).set({ version }, 1);
  metrics.collected(processMetrics.memory, () => process.memoryUsage.rss());
  metrics.collected(processMetrics.cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const startedAt = performance.timeOrigin / 1000;
  metrics.collected(processMetrics.start, () => startedAt);
  if (process.platform === "linux") {
    metrics.collected(processMetrics.openFiles, () => readdirSync(openFilesFolder).length);
    const most = mostOpenFiles(readFileSync("/proc/self/limits", "utf8"));
    metrics.collected(processMetrics.mostFiles, () => most);
  }
}

/** The soft limit in a text like that of /proc/self/limits. */
function mostOpenFiles(limits: string): number {
  const [, soft = ""] = /^Max open files +(\S+)/m.exec(limits) ?? [];
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}
