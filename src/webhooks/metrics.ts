import type { CounterDeclaration, Metrics } from "@weir/base";
import type { Refusal } from "./hook.ts";

/** The outcome of a request: it caused an action, was about something else, or was refused. */
export type HookOutcome = "accepted" | "ignored" | Refusal | "unknown" | "oversized" | "failed";

/** Counts requests; `source` is "" for unknown URLs. */
export type CountHook = (source: string, outcome: HookOutcome) => void;

/** The names of all sources; without loading their code, which most installs don't need. */
const sources = [
  "AmazonECR",
  "AzureContainerRegistry",
  "BitbucketCloud",
  "BitbucketServer",
  "Distribution",
  "DockerHub",
  "Generic",
  "GitHub",
  "GitLab",
  "Gitea",
  "GoogleContainerRegistry",
  "Harbor",
  "Nexus",
  "Quay",
];

/** The metrics for webhooks as a table. */
export const webhookMetrics = {
  requests: {
    type: "counter",
    name: "weir_webhook_requests_total",
    help: "Count of webhook requests, by source and outcome.",
    labels: {
      source: ["", ...sources],
      outcome: [
        "accepted",
        "ignored",
        "unauthorized",
        "malformed",
        "oversized",
        "unavailable",
        "failed",
        "unknown",
      ] satisfies readonly HookOutcome[],
    },
    meaning:
      "Only with `--listen-webhooks`. `ignored` is a valid request about something else, and `unknown` a URL that isn't a webhook, which has no source.",
    advice:
      "If a source counts only `unauthorized`, its secret and fluxd's differ. fluxd's log has the reasons; [Webhooks](webhooks.md) says what each outcome means.",
  },
} as const satisfies Readonly<Record<string, CounterDeclaration>>;

/** Opens the metrics for webhooks. */
export function openWebhookMetrics(metrics: Metrics): CountHook {
  const requests = metrics.counter(webhookMetrics.requests);
  return (source, outcome) => requests.add({ source, outcome });
}
