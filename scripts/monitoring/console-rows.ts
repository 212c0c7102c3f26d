/** What the dashboard of the console shows. */
import type { RowSpec } from "./rows.ts";

export const consoleRows: readonly RowSpec[] = [
  {
    title: "Is all connected?",
    panels: [
      {
        kind: "stat",
        title: "Connected daemons",
        description: "Of all consoles. The list of instances says since when each is away.",
        unit: "short",
        width: 6,
        queries: [{ expr: "sum(weir_console_connected_daemons{$chosen})", legend: "" }],
      },
      {
        kind: "stat",
        title: "Jobs that wait or were lost",
        description: "`queued`: the daemon isn't connected. `lost`: look at the job, and at its daemon.",
        unit: "short",
        width: 6,
        alarm: { warning: 1 },
        queries: [
          { expr: 'max(weir_console_jobs{$chosen,state="queued"})', legend: "queued" },
          { expr: 'max(weir_console_jobs{$chosen,state="lost"})', legend: "lost" },
        ],
      },
      {
        kind: "stat",
        title: "Notifications that failed",
        description: "The list of channels says what's wrong.",
        unit: "short",
        width: 6,
        alarm: { warning: 1 },
        queries: [{ expr: 'max(weir_console_notifications{$chosen,state="failed"})', legend: "" }],
      },
      {
        kind: "stat",
        title: "The console runs since",
        description: "And which version.",
        unit: "dateTimeFromNow",
        width: 6,
        queries: [
          {
            expr: "process_start_time_seconds{$chosen} * on (job, instance) group_right() weir_console_build_info{$chosen} * 1000",
            legend: "{{version}}",
          },
        ],
      },
    ],
  },
  {
    title: "Daemons, jobs, and notifications",
    panels: [
      {
        kind: "graph",
        title: "Connected daemons",
        description: "By console.",
        unit: "short",
        width: 12,
        queries: [
          { expr: "sum by (instance) (weir_console_connected_daemons{$chosen})", legend: "{{instance}}" },
        ],
      },
      {
        kind: "graph",
        title: "Stored events",
        description: "By console. They stand still only while nothing changes in all clusters.",
        unit: "short",
        width: 12,
        queries: [
          {
            expr: "sum by (instance) (increase(weir_console_events_stored_total{$chosen}[$__rate_interval]))",
            legend: "{{instance}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Jobs",
        description: "By state, in the database that all consoles share.",
        unit: "short",
        width: 12,
        queries: [{ expr: "max by (state) (weir_console_jobs{$chosen})", legend: "{{state}}" }],
      },
      {
        kind: "graph",
        title: "Notifications",
        description: "By state, in the database that all consoles share.",
        unit: "short",
        width: 12,
        queries: [{ expr: "max by (state) (weir_console_notifications{$chosen})", legend: "{{state}}" }],
      },
    ],
  },
  {
    title: "Requests and the process",
    panels: [
      {
        kind: "graph",
        title: "Requests",
        description: "`flux` is Flux's API, which waits for the daemon. With 5xx, look at the console's log.",
        unit: "short",
        width: 12,
        queries: [
          {
            expr: "sum by (of, status) (increase(weir_console_request_duration_seconds_count{$chosen}[$__rate_interval]))",
            legend: "{{of}} {{status}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Duration of requests",
        description: "What 9 of 10 stay below. If `api` is slow, look at the load of PostgreSQL.",
        unit: "s",
        width: 12,
        queries: [
          {
            expr: "histogram_quantile(0.9, sum by (le, of) (increase(weir_console_request_duration_seconds_bucket{$chosen}[$__range])))",
            legend: "{{of}}",
          },
        ],
      },
      {
        kind: "graph",
        title: "Open pages",
        description: "Browsers and programs that get live changes.",
        unit: "short",
        width: 8,
        queries: [{ expr: "sum by (instance) (weir_console_streams{$chosen})", legend: "{{instance}}" }],
      },
      {
        kind: "graph",
        title: "Memory",
        description: "With an embedded database, that's in it.",
        unit: "bytes",
        width: 8,
        queries: [{ expr: "process_resident_memory_bytes{$chosen}", legend: "{{instance}}" }],
      },
      {
        kind: "graph",
        title: "Processor",
        description: "If it's nearly 100 %, start another console on the same database.",
        unit: "percentunit",
        width: 8,
        queries: [
          { expr: "rate(process_cpu_seconds_total{$chosen}[$__rate_interval])", legend: "{{instance}}" },
        ],
      },
    ],
  },
];
