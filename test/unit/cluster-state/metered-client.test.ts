import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TimeoutError } from "@weir/base";
import { createMetricsRegistry } from "@weir/base/prometheus";
import { KubeApiError } from "@weir/kube";
import { ConnectionError, type RestRequest } from "@weir/kube/rest";
import { ScriptedClient } from "@weir/testing";
import { meteredClient } from "../../../src/cluster-state/metered-client.ts";
import { failureReason, kubeMetrics } from "../../../src/cluster-state/metrics.ts";

function refusal(code: number): KubeApiError {
  return new KubeApiError({ code, reason: "", message: "no" });
}

describe("requests to the API server", () => {
  it("are counted by method, and their failures by reason; watches too", async () => {
    const registry = createMetricsRegistry(Object.values(kubeMetrics));
    const scripted = new ScriptedClient({
      lists: [
        () => ({}),
        () => {
          throw refusal(403);
        },
      ],
      watches: [
        async function* () {
          yield await Promise.resolve("{}");
          throw refusal(500);
        },
      ],
    });
    const client = meteredClient(scripted, registry);

    const get: RestRequest = { method: "GET", path: "/api" };
    assert.deepEqual(await client.json(get), {});
    await assert.rejects(client.json({ ...get, method: "PATCH" }), KubeApiError);
    const lines: string[] = [];
    await assert.rejects(async () => {
      for await (const line of client.lines(get)) {
        lines.push(line);
      }
    }, KubeApiError);

    assert.deepEqual(lines, ["{}"]);
    const samples = (await registry.exposition()).split("\n").filter((line) => /^weir/.test(line));
    assert.deepEqual(samples, [
      'weir_kube_requests_total{method="GET"} 1',
      'weir_kube_requests_total{method="PATCH"} 1',
      'weir_kube_requests_total{method="WATCH"} 1',
      'weir_kube_request_failures_total{method="PATCH",reason="forbidden"} 1',
      'weir_kube_request_failures_total{method="WATCH",reason="server_error"} 1',
    ]);
  });

  for (const [what, error, reason] of [
    ["400", refusal(400), "invalid"],
    ["401", refusal(401), "unauthorized"],
    ["403", refusal(403), "forbidden"],
    ["404", refusal(404), "not_found"],
    ["409", refusal(409), "conflict"],
    ["410", refusal(410), "gone"],
    ["418", refusal(418), "other"],
    ["422", refusal(422), "invalid"],
    ["429", refusal(429), "throttled"],
    ["500", refusal(500), "server_error"],
    ["503", refusal(503), "server_error"],
    ["504", refusal(504), "timeout"],
    ["a lost connection", new ConnectionError({ server: "s", sent: true, reason: "gone" }), "unreachable"],
    ["a time limit", new TimeoutError(), "timeout"],
    ["anything else", new Error("?"), "other"],
  ] as const) {
    it(`that end with ${what} have failed: ${reason}`, () => {
      assert.equal(failureReason(error, undefined), reason);
    });
  }

  it("that somebody stopped haven't failed, unless a time limit did", () => {
    const stopped = AbortSignal.abort(new Error("stop"));
    const late = AbortSignal.abort(new TimeoutError());

    assert.equal(failureReason(new Error("stop"), stopped), undefined);
    assert.equal(failureReason(new Error("late"), late), "timeout");
  });
});
