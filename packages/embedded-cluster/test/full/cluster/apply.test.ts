import { configMap, configMaps, deployment, deployments, service, services } from "../../support/objects.ts";
import { get, inOwnWords, patch, post, put, type Request, remove } from "../../support/request.ts";
import { describeSameAnswers } from "./twins.ts";

const front = { labels: { tier: "front" } };

describeSameAnswers("server-side apply is answered as by the real API server", {
  "makes an object and changes it": [
    ...[
      configMap("a", front),
      configMap("a", front),
      configMap("a"),
      { ...configMap("a"), data: { b: "2" } },
    ].map((body) => apply(`${configMaps}/a`, "one", body)),
    get(`${configMaps}/a`),
  ],
  "keeps what others own": [
    apply(`${configMaps}/a`, "one", configMap("a")),
    apply(`${configMaps}/a`, "two", { ...configMap("a"), data: { b: "2" } }),
    apply(`${configMaps}/a`, "two", { ...configMap("a"), data: { a: "2" } }),
    apply(`${configMaps}/a`, "two", { ...configMap("a"), data: { a: "2" } }, "&force=true"),
    apply(`${configMaps}/a`, "two", { ...configMap("a"), data: {} }),
    apply(`${configMaps}/a`, "one", { ...configMap("a"), data: { a: "2" } }),
    get(`${configMaps}/a`),
  ],
  "conflicts with what was patched and replaced": [
    apply(`${deployments}/web`, "one", deployment("web", { replicas: 1 })),
    patch("merge", `${deployments}/web?fieldManager=scaler`, { spec: { replicas: 3 } }),
    apply(`${deployments}/web`, "one", deployment("web", { replicas: 1 })),
    apply(`${deployments}/web`, "one", deployment("web")),
    patch("merge", `${deployments}/web/scale?fieldManager=other`, { spec: { replicas: 4 } }),
    apply(`${deployments}/web`, "one", deployment("web", { replicas: 1 })),
    patch("strategic", `${deployments}/web`, containers({ name: "main", image: "example.com/main:2" })),
    apply(`${deployments}/web`, "one", deployment("web", { replicas: 1 }), "&force=true"),
    get(`${deployments}/web`),
  ],
  "merges lists by their keys": [
    apply(`${services}/web`, "one", service("web", { ports: [{ name: "http", port: 80 }] })),
    apply(`${services}/web`, "two", service("web", { ports: [{ name: "https", port: 443 }] })),
    apply(`${services}/web`, "one", service("web", { ports: [{ name: "plain", port: 8080 }] })),
    apply(
      `${services}/web`,
      "two",
      service("web", { ports: [{ name: "https", port: 443, targetPort: 8443 }] }),
    ),
    get(`${services}/web`),
  ],
  "sets finalizers and owners as sets": [
    apply(`${configMaps}/a`, "one", configMap("a", { finalizers: ["example.com/a"] })),
    apply(`${configMaps}/a`, "two", configMap("a", { finalizers: ["example.com/b"] }), "&force=true"),
    apply(`${configMaps}/a`, "one", configMap("a")),
    remove(`${configMaps}/a`),
    apply(`${configMaps}/a`, "one", configMap("a", { finalizers: ["example.com/c"] })),
  ],
  "takes over from client-side apply": [
    post(`${configMaps}?fieldManager=kubectl-client-side-apply`, configMap("a", lastApplied())),
    apply(`${configMaps}/a`, "kubectl", { ...configMap("a"), data: { a: "2" } }),
    apply(`${configMaps}/a`, "kubectl", { ...configMap("a"), data: { a: "2" } }, "&force=true"),
  ],
  "refuses what cannot be applied": [
    apply(`${configMaps}/a`, "", configMap("a")),
    ...[
      configMap("b"),
      { ...configMap("a"), kind: "Secret" },
      { ...configMap("a"), apiVersion: "v2" },
      { ...configMap("a"), data: { a: 1 } },
      { ...configMap("a"), dta: { a: "1" } },
    ].map((body) => apply(`${configMaps}/a`, "one", body)),
    inOwnWords(apply(`${configMaps}/a`, "one", "a: [")),
    ...[
      "[]",
      configMap("a", { managedFields: [{ manager: "x" }] }),
      configMap("a", { uid: "2c6d8f0e-0000-4000-8000-000000000000" }),
      configMap("a", { resourceVersion: "1" }),
    ].map((body) => apply(`${configMaps}/a`, "one", body)),
    apply(`${configMaps}/a?fieldManager=one&dryRun=All`, "", configMap("a")),
    apply(`${deployments}/web`, "one", deployment("web", containers({ image: "example.com/a" }).spec)),
    apply(
      `${deployments}/web`,
      "one",
      deployment("web", containers({ name: "a", image: "a" }, { name: "a", image: "b" }).spec),
    ),
    apply(`${configMaps}/a`, "x".repeat(129), configMap("a")),
    patch("merge", `${configMaps}/a?force=true`, {}),
    apply(`${configMaps}/a`, "one", 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "1"}\n'),
    apply(
      `${configMaps}/a`,
      "one",
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "1", a: "2"}\n',
    ),
    apply(
      `${configMaps}/a`,
      "one",
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"a"}}',
    ),
    apply(
      `${configMaps}/a`,
      "one",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: a, a: b}\ndata: {b: b}",
      "&fieldValidation=Strict",
    ),
  ],
  "tells managers of creates, replacements and patches apart": [
    post(`${configMaps}?fieldManager=one`, configMap("a", front)),
    put(`${configMaps}/a?fieldManager=two`, { ...configMap("a", front), data: { a: "1", b: "2" } }),
    patch("merge", `${configMaps}/a?fieldManager=three`, { data: { b: null, c: "3" } }),
    patch("json", `${configMaps}/a?fieldManager=four`, [{ op: "replace", path: "/data/c", value: "4" }]),
    patch("merge", `${configMaps}/a`, { metadata: { managedFields: [{}] } }),
    patch("merge", `${configMaps}/a?fieldManager=five`, { metadata: { labels: { a: "b" } } }),
  ],
});

function apply(path: string, manager: string, config: object | string, more = ""): Request {
  const query = manager === "" ? "" : `?fieldManager=${manager}`;
  return patch("apply", `${path}${query}${more}`, config);
}

function containers(...items: readonly object[]): { spec: { template: object } } {
  return { spec: { template: { metadata: { labels: { app: "web" } }, spec: { containers: items } } } };
}

function lastApplied(): object {
  const config = JSON.stringify(configMap("a"));
  return { annotations: { "kubectl.kubernetes.io/last-applied-configuration": `${config}\n` } };
}
