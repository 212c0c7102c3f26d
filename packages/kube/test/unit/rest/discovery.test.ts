import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, ScriptedClient } from "@weir/testing";
import { KubeApiError } from "../../../src/api-status.ts";
import { createDiscovery, type Discovery } from "../../../src/rest/discovery.ts";
import type { RestRequest } from "../../../src/rest/rest.ts";

const verbs = ["get", "list", "watch"];

/** A server that speaks the aggregated form; groups by name, of each the versions, of each kind by resource. */
function aggregated(
  groups: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>> | "stale">>>>,
): object {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    items: Object.entries(groups).map(([name, versions]) => ({
      metadata: name === "" ? {} : { name },
      versions: Object.entries(versions).map(([version, kinds]) => ({
        version,
        freshness: kinds === "stale" ? "Stale" : "Current",
        resources: Object.entries(kinds === "stale" ? {} : kinds).map(([resource, kind]) => ({
          resource,
          responseKind: { group: "", version: "", kind },
          scope: kind === "Node" ? "Cluster" : "Namespaced",
          verbs,
          subresources: [{ subresource: "status", responseKind: { kind }, verbs: ["get"] }],
        })),
      })),
    })),
  };
}

/** Answers by path; an Error is thrown. */
function server(answers: Readonly<Record<string, unknown>>): {
  client: ScriptedClient;
  answers: Record<string, unknown>;
} {
  const current = { ...answers };
  const client = new ScriptedClient({
    lists: [
      ({ path }: RestRequest) => {
        const answer = current[path];
        if (answer instanceof Error) {
          throw answer;
        }
        return answer ?? { kind: "APIGroupList", groups: [] };
      },
    ],
  });
  return { client, answers: current };
}

async function kinds(discovery: Discovery): Promise<readonly string[]> {
  return (await discovery.kinds()).map(
    ({ versions: [{ group, version, kind }] }) => `${group}/${version}/${kind}`,
  );
}

const core = aggregated({ "": { v1: { pods: "Pod", nodes: "Node" } } });
const notReady = new KubeApiError({ code: 503, reason: "ServiceUnavailable", message: "no endpoints" });

describe("discovery", () => {
  it("reads the aggregated form in two requests", async () => {
    const { client } = server({
      "/api": core,
      "/apis": aggregated({ autoscaling: { v2: { hpas: "HPA" }, v1: { hpas: "HPA", old: "Old" } } }),
    });
    const discovery = createDiscovery(client, new FakeClock());

    const all = await discovery.all();

    assert.deepEqual(all, {
      resources: [
        { group: "", version: "v1", kind: "Pod", resource: "pods", namespaced: true, verbs },
        { group: "", version: "v1", kind: "Node", resource: "nodes", namespaced: false, verbs },
        { group: "autoscaling", version: "v2", kind: "HPA", resource: "hpas", namespaced: true, verbs },
        { group: "autoscaling", version: "v1", kind: "HPA", resource: "hpas", namespaced: true, verbs },
        { group: "autoscaling", version: "v1", kind: "Old", resource: "old", namespaced: true, verbs },
      ],
      failures: [],
    });
    assert.deepEqual(client.asked, ["get /api", "get /apis"]);
  });

  it("prefers the first version of a group that has the kind", async () => {
    const { client } = server({
      "/api": core,
      "/apis": aggregated({ autoscaling: { v2: { hpas: "HPA" }, v1: { hpas: "HPA", old: "Old" } } }),
    });
    const discovery = createDiscovery(client, new FakeClock());

    const versions = await Promise.all([
      discovery.resourceOf({ group: "autoscaling", kind: "HPA" }),
      discovery.resourceOf({ group: "autoscaling", kind: "HPA" }, "v1"),
      discovery.resourceOf({ group: "autoscaling", kind: "Old" }),
      discovery.resourceFor({ group: "autoscaling", version: "v1", kind: "Old" }),
    ]);

    assert.deepEqual(
      versions.map((resource) => resource?.version),
      ["v2", "v1", "v1", "v1"],
    );
    assert.deepEqual(await kinds(discovery), [
      "/v1/Pod",
      "/v1/Node",
      "autoscaling/v2/HPA",
      "autoscaling/v1/Old",
    ]);
  });

  it("asks group by group where the server does not know the aggregated form", async () => {
    const { client } = server({
      "/api": { kind: "APIVersions", versions: ["v1"] },
      "/api/v1": {
        kind: "APIResourceList",
        resources: [
          { name: "pods", kind: "Pod", namespaced: true, verbs },
          { name: "pods/log", kind: "Pod", namespaced: true, verbs: ["get"] },
        ],
      },
      "/apis": {
        kind: "APIGroupList",
        groups: [
          {
            name: "apps",
            versions: [{ version: "v1beta1" }, { version: "v1" }],
            preferredVersion: { version: "v1" },
          },
          { name: "metrics", versions: [{ version: "v1" }] },
        ],
      },
      "/apis/apps/v1": { resources: [{ name: "deployments", kind: "Deployment", namespaced: true, verbs }] },
      "/apis/apps/v1beta1": {
        resources: [{ name: "deployments", kind: "Deployment", namespaced: true, verbs }],
      },
      "/apis/metrics/v1": notReady,
    });
    const discovery = createDiscovery(client, new FakeClock());

    assert.deepEqual(await kinds(discovery), ["/v1/Pod", "apps/v1/Deployment"]);
    assert.deepEqual((await discovery.all()).failures, [
      { group: "metrics", version: "v1", reason: "no endpoints" },
    ]);
  });

  it("keeps what it knew of a version that cannot be told any more", async () => {
    const { client, answers } = server({
      "/api": core,
      "/apis": aggregated({ metrics: { v1: { m: "Metric" } }, x: { v1: { a: "A" } } }),
    });
    const discovery = createDiscovery(client, new FakeClock());
    await discovery.all();

    answers["/apis"] = aggregated({ metrics: { v1: "stale" } });
    discovery.invalidate();

    assert.deepEqual(await kinds(discovery), ["/v1/Pod", "/v1/Node", "metrics/v1/Metric"]);
    assert.deepEqual((await discovery.all()).failures, [
      { group: "metrics", version: "v1", reason: "the API server cannot reach it" },
    ]);
  });

  it("asks once for all who ask at the same time", async () => {
    const { client } = server({ "/api": core });
    const discovery = createDiscovery(client, new FakeClock());

    await Promise.all([discovery.all(), discovery.kinds(), discovery.resourceOf({ group: "", kind: "Pod" })]);

    assert.deepEqual(client.asked, ["get /api", "get /apis"]);
  });

  it("asks again for a kind it does not know, but not more than twice a second", async () => {
    const clock = new FakeClock();
    const { client, answers } = server({ "/api": core });
    const discovery = createDiscovery(client, clock);
    const foo = { group: "example.com", kind: "Foo" };

    assert.equal(await discovery.resourceOf(foo), undefined);
    answers["/apis"] = aggregated({ "example.com": { v1: { foos: "Foo" } } });
    assert.equal(await discovery.resourceOf(foo), undefined);
    await clock.advance(500);
    const found = await discovery.resourceOf(foo);

    assert.equal(found?.resource, "foos");
    assert.equal(client.asked.length, 4);
  });

  it("does not keep a failure", async () => {
    const { client, answers } = server({ "/api": notReady });
    const discovery = createDiscovery(client, new FakeClock());

    await assert.rejects(discovery.all(), notReady);
    answers["/api"] = core;

    assert.deepEqual(await kinds(discovery), ["/v1/Pod", "/v1/Node"]);
  });

  it("takes the resource that can be listed where two have the same kind", async () => {
    const { client } = server({
      "/api": { kind: "APIVersions", versions: ["v1"] },
      "/api/v1": {
        resources: [
          { name: "podreviews", kind: "Pod", namespaced: true, verbs: ["create"] },
          { name: "pods", kind: "Pod", namespaced: true, verbs },
        ],
      },
    });
    const discovery = createDiscovery(client, new FakeClock());

    assert.equal((await discovery.resourceOf({ group: "", kind: "Pod" }))?.resource, "pods");
  });
});
