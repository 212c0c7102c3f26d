import type { Metrics } from "@weir/base";

/** Sets how many seconds the connection has lasted; 0 if there is none. */
export type ConnectionGauge = (seconds: number) => void;

/** Declares the metric of the upstream, with Flux v1's name; `target` is the base address. */
export function declareConnectionGauge(metrics: Metrics, target: string): ConnectionGauge {
  const duration = metrics.gauge({
    name: "flux_fluxd_connection_duration_seconds",
    help: "Duration in seconds of the current connection to fluxsvc. Zero means unconnected.",
    labels: ["target"],
  });
  return (seconds) => duration.set({ target }, seconds);
}
