import type { CounterDeclaration, Metrics } from "@weir/base";

/** Counts a response by its status code. */
export type CountResponse = (code: number) => void;

/** The metric of the HTTP listeners as a table. */
export const serverMetrics = {
  responses: {
    type: "counter",
    name: "weir_http_responses_total",
    help: "Responses of fluxd's API and its other pages, by status code.",
    labels: {
      code: [
        "200",
        "201",
        "202",
        "204",
        "301",
        "400",
        "401",
        "403",
        "404",
        "405",
        "410",
        "413",
        "422",
        "500",
        "503",
        "other",
      ],
    },
    meaning:
      "Includes `/metrics`, but not webhooks. 401: no valid token. 403: a web page of another origin, or an unknown host name. 413: the body is too large. 422: the request can't be done as it is. 503: fluxd is busy, because too many jobs are waiting, or too many large requests arrive at once.",
    advice:
      "Many 401 or 403: find out who asks. 503: somebody sends more than fluxd can do; its log names the jobs. 500: `fluxctl check`, and fluxd's log.",
  },
} as const satisfies Readonly<Record<string, CounterDeclaration>>;

/** Opens the metric of the HTTP listeners. */
export function openServerMetrics(metrics: Metrics): CountResponse {
  const responses = metrics.counter(serverMetrics.responses);
  const known = serverMetrics.responses.labels.code;
  return (code) => responses.add({ code: known.find((each) => each === String(code)) ?? "other" });
}
