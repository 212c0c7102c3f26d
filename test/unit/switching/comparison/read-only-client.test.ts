import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RestClient, RestRequest } from "@weir/kube/rest";
import { readOnlyClient, WriteRefusedError } from "../../../../src/switching/comparison/read-only-client.ts";

describe("a client that only reads", () => {
  const sent: RestRequest[] = [];
  const client: RestClient = {
    server: "https://cluster.test",
    json: (request) => Promise.resolve(sent.push(request)),
    lines: () => (async function* () {})(),
    close: () => Promise.resolve(),
  };
  const path = "/api/v1/namespaces/a/configmaps/b";
  const reviews = "/apis/authorization.k8s.io/v1";

  for (const request of [
    { method: "GET", path },
    { method: "POST", path: `${reviews}/subjectaccessreviews` },
    { method: "PATCH", path, query: { dryRun: "All" } },
    { method: "DELETE", path, body: { kind: "DeleteOptions", dryRun: ["All"] } },
  ] as const satisfies readonly RestRequest[]) {
    it(`sends ${request.method} ${request.path}${"query" in request || "body" in request ? " as a dry run" : ""}`, async () => {
      await readOnlyClient(client).json(request);

      assert.equal(sent.pop(), request);
    });
  }

  for (const request of [
    { method: "POST", path: "/api/v1/namespaces/a/configmaps" },
    { method: "PATCH", path, query: { fieldManager: "kubectl" } },
    { method: "PUT", path, query: { dryRun: "" } },
    { method: "DELETE", path },
    { method: "DELETE", path, body: { dryRun: [] } },
    { method: "POST", path: `${reviews}/namespaces/a/others` },
  ] as const satisfies readonly RestRequest[]) {
    it(`refuses ${request.method} ${request.path}${"query" in request || "body" in request ? " without a dry run" : ""}`, async () => {
      await assert.rejects(readOnlyClient(client).json(request), WriteRefusedError);
      assert.throws(() => readOnlyClient(client).lines(request), WriteRefusedError);
      assert.deepEqual(sent, []);
    });
  }
});
