import { configMaps, deployment, deployments, pod, pods } from "../../support/objects.ts";
import { get, inOwnWords, patch, post, put } from "../../support/request.ts";
import { describeSameAnswers } from "./twins.ts";

const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" } };
const own = `${deployments}/web/scale`;

describeSameAnswers("subresources are answered as by the real API server", {
  scales: [
    post(deployments, deployment("web", { replicas: 2 })),
    put(own, { ...scale, spec: { replicas: 3 } }),
    put(own, { ...scale, spec: {} }),
    put(own, { ...scale, spec: { replicas: -1 } }),
    put(own, { ...scale, metadata: { name: "web", resourceVersion: "1" }, spec: { replicas: 4 } }),
    patch("merge", own, { spec: { replicas: 5 } }),
    patch("strategic", own, { spec: { replicas: 6 } }),
    patch("json", own, [{ op: "replace", path: "/spec/replicas", value: 7 }]),
    inOwnWords(patch("json", own, [{ op: "remove", path: "/spec/missing" }])),
    patch("merge", own, "{"),
    patch("merge", own, { spec: { replicas: "8" } }),
    put(own, { ...scale, spec: { replicas: "8" } }),
    put(own, "{"),
    patch("merge", `${own}?dryRun=All`, { spec: { replicas: 9 } }),
    get(own),
    patch("merge", `${deployments}/missing/scale`, { spec: { replicas: 1 } }),
  ],
  "keeps the status apart": [
    post(pods, pod("web")),
    patch("merge", `${pods}/web/status`, { status: { phase: "Running", podIP: "192.0.2.1" } }),
    patch("strategic", `${pods}/web/status`, {
      status: {
        conditions: [{ type: "Ready", status: "True", lastTransitionTime: null, lastProbeTime: null }],
      },
    }),
    patch("strategic", `${pods}/web/status`, {
      status: { conditions: [{ type: "Ready", status: "False" }] },
    }),
    patch("merge", `${pods}/web/status`, { metadata: { labels: { a: "b" } }, spec: { nodeName: "n" } }),
    get(`${pods}/web`),
    get(`${configMaps}/web/status`),
  ],
  evicts: [
    post(pods, pod("web")),
    post(`${pods}/web/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "web", namespace: "$ns" },
    }),
    get(`${pods}/web`),
    post(`${pods}/missing/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "missing", namespace: "$ns" },
    }),
  ],
});
