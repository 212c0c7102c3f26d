import type { Metrics } from "@weir/base";
import type { Refusal } from "./hook.ts";

/** What became of a request: it changed something, was about something else, or was refused. */
export type HookOutcome = "accepted" | "ignored" | Refusal | "unknown" | "oversized" | "failed";

/** Counts requests; `source` is "" for those to no known hook. */
export type CountHook = (source: string, outcome: HookOutcome) => void;

/** Declares the metrics of webhooks. */
export function declareWebhookMetrics(metrics: Metrics): CountHook {
  const requests = metrics.counter({
    name: "weir_webhook_requests_total",
    help: "Count of webhook requests, by the service that they are of and what became of them.",
    labels: ["source", "outcome"],
  });
  return (source, outcome) => requests.add({ source, outcome });
}
