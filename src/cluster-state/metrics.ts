import { type CounterDeclaration, type GaugeDeclaration, type Metrics, TimeoutError } from "@weir/base";
import type { ResourceCache } from "@weir/engine";
import { KubeApiError } from "@weir/kube";
import { ConnectionError } from "@weir/kube/rest";

/** The metrics for the API server as a table. */
export const kubeMetrics = {
  requests: {
    type: "counter",
    name: "weir_kube_requests_total",
    help: "Requests sent to the Kubernetes API server, by method.",
    labels: { method: ["GET", "POST", "PUT", "PATCH", "DELETE", "WATCH"] },
    meaning: "A watch counts once, when it begins. Syncs that change nothing send few requests.",
    advice:
      "If `PATCH` goes on without commits, something else changes the same objects: see `weir_sync_changes_total`.",
  },
  failures: {
    type: "counter",
    name: "weir_kube_request_failures_total",
    help: "Requests that the Kubernetes API server refused or didn't answer, by method and reason.",
    labels: {
      method: ["GET", "POST", "PUT", "PATCH", "DELETE", "WATCH"],
      reason: [
        "unreachable",
        "timeout",
        "unauthorized",
        "forbidden",
        "not_found",
        "conflict",
        "gone",
        "invalid",
        "throttled",
        "server_error",
        "other",
      ],
    },
    meaning:
      "`not_found`, `conflict`, and `gone` are part of normal work. `invalid` are usually manifests that the API server refuses. Failures of watches (`WATCH`) are repeated until they work.",
    advice:
      "`unreachable`, `timeout`, `throttled`, and `server_error`: look at the API server. `unauthorized` and `forbidden`: run `fluxctl check`, which names the missing permissions.",
  },
  unavailableApis: {
    type: "gauge",
    name: "weir_kube_unavailable_apis",
    help: "API versions that the Kubernetes API server can't reach.",
    labels: {},
    meaning:
      "Objects of these API groups can't be synced, and those that are no longer in git aren't deleted.",
    advice: "`fluxctl check` names them. Repair the server behind the APIService, or delete the APIService.",
  },
} as const satisfies Readonly<Record<string, CounterDeclaration | GaugeDeclaration>>;

/** Why a request failed. */
type FailureReason = (typeof kubeMetrics.failures.labels.reason)[number];

/** Shows how many APIs are unavailable, according to the cache. */
export function openCacheMetrics(metrics: Metrics, cache: Pick<ResourceCache, "unavailable">): void {
  metrics.collected(kubeMetrics.unavailableApis, () => cache.unavailable().length);
}

/** Classifies an error of a RestClient; undefined if somebody stopped the request. */
export function failureReason(error: unknown, signal: AbortSignal | undefined): FailureReason | undefined {
  if (error instanceof TimeoutError || signal?.reason instanceof TimeoutError) {
    return "timeout";
  }
  if (signal?.aborted === true) {
    return undefined;
  }
  if (error instanceof ConnectionError) {
    return "unreachable";
  }
  return error instanceof KubeApiError ? reasonOfCode(error.status.code) : "other";
}

function reasonOfCode(code: number): FailureReason {
  switch (code) {
    case 400:
    case 422:
      return "invalid";
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not_found";
    case 409:
      return "conflict";
    case 410:
      return "gone";
    case 429:
      return "throttled";
    case 504:
      return "timeout";
    default:
      return code >= 500 ? "server_error" : "other";
  }
}
