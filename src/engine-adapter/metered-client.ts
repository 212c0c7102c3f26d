import type { Metrics } from "@weir/base";
import type { RestClient, RestRequest } from "@weir/kube/rest";

/** Wraps a client to count each request in weir_kube_requests_total by its method; watches count as WATCH. */
export function meteredClient(client: RestClient, metrics: Metrics): RestClient {
  const requests = metrics.counter({
    name: "weir_kube_requests_total",
    help: "Requests sent to the Kubernetes API server, by method.",
    labels: ["method"],
  });
  return {
    server: client.server,
    json(request: RestRequest) {
      requests.add({ method: request.method });
      return client.json(request);
    },
    lines(request: RestRequest) {
      requests.add({ method: "WATCH" });
      return client.lines(request);
    },
    close: () => client.close(),
  };
}
