import type { GaugeDeclaration, Metrics } from "@weir/base";

/** Sets how many seconds the connection has lasted; 0 if there is none. */
export type ConnectionGauge = (seconds: number) => void;

/** The metric of the upstream as a table. */
export const upstreamMetrics = {
  connection: {
    type: "gauge",
    name: "flux_fluxd_connection_duration_seconds",
    help: "Duration in seconds of the current connection to fluxsvc. Zero means unconnected.",
    labels: { target: "the address in `--connect`, without a password" },
    meaning: "Only with `--connect`.",
    advice:
      "If it's often near 0, the connection breaks: fluxd's log has the reason, with `component=upstream`.",
  },
} as const satisfies Readonly<Record<string, GaugeDeclaration>>;

/** Opens the metric of the upstream; `target` is the base address. */
export function openConnectionGauge(metrics: Metrics, target: string): ConnectionGauge {
  const duration = metrics.gauge(upstreamMetrics.connection);
  return (seconds) => duration.set({ target }, seconds);
}
