import type { Metrics } from "@weir/base";
import type { RestClient, RestRequest } from "@weir/kube/rest";
import { failureReason, kubeMetrics } from "./metrics.ts";

/** Wraps a client to count requests and their failures by method; watches count as WATCH. */
export function meteredClient(client: RestClient, metrics: Metrics): RestClient {
  const requests = metrics.counter(kubeMetrics.requests);
  const failures = metrics.counter(kubeMetrics.failures);
  function countFailure(
    method: RestRequest["method"] | "WATCH",
    error: unknown,
    { signal }: RestRequest,
  ): void {
    const reason = failureReason(error, signal);
    if (reason !== undefined) {
      failures.add({ method, reason });
    }
  }
  return {
    server: client.server,
    async json(request: RestRequest) {
      requests.add({ method: request.method });
      try {
        return await client.json(request);
      } catch (error) {
        countFailure(request.method, error, request);
        throw error;
      }
    },
    async *lines(request: RestRequest) {
      requests.add({ method: "WATCH" });
      try {
        yield* client.lines(request);
      } catch (error) {
        countFailure("WATCH", error, request);
        throw error;
      }
    },
    close: () => client.close(),
  };
}
