/** All metrics of fluxd: those that it can show, and those that docs/metrics.md documents. */
import type { MetricDeclaration } from "@weir/base";
import { serverMetrics } from "../../src/api/server/metrics.ts";
import { upstreamMetrics } from "../../src/api/upstream/metrics.ts";
import { kubeMetrics } from "../../src/cluster-state/metrics.ts";
import { daemonMetrics } from "../../src/daemon/metrics.ts";
import { gitMetrics } from "../../src/git/metrics.ts";
import { registryMetrics } from "../../src/registry/metrics.ts";
import { webhookMetrics } from "../../src/webhooks/metrics.ts";
import { processMetrics } from "./process-metrics.ts";

/** Metrics about one subject. */
export interface MetricsGroup {
  readonly title: string;
  readonly metrics: readonly MetricDeclaration[];
}

/** Those about what fluxd is for come first. */
export const metricsGroups: readonly MetricsGroup[] = [
  { title: "Syncs, jobs, and releases", metrics: Object.values(daemonMetrics) },
  { title: "Git", metrics: Object.values(gitMetrics) },
  { title: "Images", metrics: Object.values(registryMetrics) },
  { title: "Kubernetes", metrics: Object.values(kubeMetrics) },
  {
    title: "API, upstream, and webhooks",
    metrics: [serverMetrics, upstreamMetrics, webhookMetrics].flatMap(tableOf),
  },
  { title: "The process", metrics: Object.values(processMetrics) },
];

function tableOf(metrics: Readonly<Record<string, MetricDeclaration>>): readonly MetricDeclaration[] {
  return Object.values(metrics);
}

/** All of them. */
export const allMetrics: readonly MetricDeclaration[] = metricsGroups.flatMap(({ metrics }) => metrics);
