import type { Metrics } from "@weir/base";
import type { Refusal } from "./hook.ts";

/** The outcome of a request: it caused an action, was about something else, or was refused. */
export type HookOutcome = "accepted" | "ignored" | Refusal | "unknown" | "oversized" | "failed";

/** Counts requests; `source` is "" for unknown URLs. */
export type CountHook = (source: string, outcome: HookOutcome) => void;

/** Declares the metrics for webhooks. */
export function declareWebhookMetrics(metrics: Metrics): CountHook {
  const requests = metrics.counter({
    name: "weir_webhook_requests_total",
    help: "Count of webhook requests, by source and outcome.",
    labels: ["source", "outcome"],
  });
  return (source, outcome) => requests.add({ source, outcome });
}
