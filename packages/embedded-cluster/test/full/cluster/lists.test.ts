import {
  configMap,
  configMaps,
  deployment,
  deployments,
  pod,
  pods,
  service,
  services,
} from "../../support/objects.ts";
import { get, inOwnWords, patch, post, type Request, remove, watch } from "../../support/request.ts";
import { describeSameAnswers } from "./twins.ts";

const labelled = [
  post(configMaps, configMap("a", { labels: { app: "web", tier: "front" } })),
  post(configMaps, configMap("b", { labels: { app: "web" } })),
  post(configMaps, configMap("c", { labels: { app: "db" } })),
  post(configMaps, configMap("d")),
];

const initialEvents = "sendInitialEvents=true&allowWatchBookmarks=true";

describeSameAnswers("lists are cut and chosen from as by the real API server", {
  "lists in pages": [
    ...labelled,
    ...[
      `${configMaps}?limit=3`,
      `${configMaps}?limit=3&continue=$5.metadata.continue`,
      `${configMaps}?limit=4`,
      `${configMaps}?limit=1&labelSelector=app%3Dweb`,
      `${configMaps}?limit=-1`,
      `${configMaps}?limit=many`,
      `${configMaps}?limit=1&resourceVersion=0`,
    ].map((path) => get(path)),
  ],
  "keeps to the state of the first page": [
    ...labelled,
    get(`${configMaps}?limit=2`),
    remove(`${configMaps}/c`),
    post(configMaps, configMap("e")),
    get(`${configMaps}?limit=2&continue=$5.metadata.continue`),
    get(`${configMaps}?continue=$5.metadata.continue&resourceVersion=$1.metadata.resourceVersion`),
    ...["nonsense", token({}), token({ v: "meta.k8s.io/v1" }), token({ v: "meta.k8s.io/v1", rv: 1 })].map(
      (text) => inOwnWords(get(`${configMaps}?continue=${text}`)),
    ),
  ],
  "chooses by labels": [
    ...labelled,
    ...[
      "app=web",
      "app==web,tier",
      "app!=web",
      "!app",
      "app in (web,db)",
      "app notin (web)",
      "tier notin (front),app",
      "app=",
    ].map((selector) => byLabels(selector)),
    ...["app in web", "a b", "app=>web", "-app", "app=a_"].map((selector) => inOwnWords(byLabels(selector))),
  ],
  "chooses by fields": [
    ...labelled,
    post(pods, pod("waiting")),
    post(pods, pod("placed", { nodeName: "node-1", restartPolicy: "Never" })),
    ...[
      "metadata.name=a",
      "metadata.name!=a",
      "metadata.namespace=$ns",
      "data.a=1",
      "a",
      "=a",
      "metadata.name=a,x",
    ].map((selector) => byFields(configMaps, selector)),
    ...[
      "spec.nodeName=node-1",
      "status.phase=Pending",
      "status.phase!=Pending",
      "spec.restartPolicy=Never",
      "x=y",
    ].map((selector) => byFields(pods, selector)),
    byFields(deployments, "spec.replicas=1"),
    byFields(services, "spec.type=ClusterIP"),
    byFields("/api/v1/namespaces", "metadata.name=$ns"),
    byFields("/api/v1/namespaces", "status.phase=Active,metadata.name=$ns"),
    byFields("/api/v1/namespaces/$ns/secrets", "type=Opaque"),
    byFields("/api/v1/namespaces/$ns/events", "involvedObject.name=a"),
    byFields("/apis/batch/v1/namespaces/$ns/jobs", "status.successful=0"),
  ],
  "lists at resource versions": [
    ...labelled,
    ...[
      `${configMaps}?resourceVersion=$2.metadata.resourceVersion&resourceVersionMatch=Exact`,
      `${configMaps}?resourceVersion=$2.metadata.resourceVersion&resourceVersionMatch=NotOlderThan`,
      `${configMaps}?resourceVersion=0`,
      `${configMaps}?resourceVersion=0&resourceVersionMatch=Exact`,
      `${configMaps}?resourceVersion=0&resourceVersionMatch=Nonsense`,
      `${configMaps}?resourceVersionMatch=Exact`,
      `${configMaps}?resourceVersion=x`,
      `${configMaps}?resourceVersion=-1`,
      `${configMaps}?sendInitialEvents=true`,
      `${configMaps}/a?resourceVersion=$1.metadata.resourceVersion`,
      `${configMaps}/a?resourceVersion=x`,
    ].map((path) => get(path)),
  ],
  "lists across namespaces and names none that are not there": [
    post(deployments, deployment("web", { replicas: 2 })),
    get("/apis/apps/v1/deployments?fieldSelector=metadata.namespace%3D$ns"),
    get("/api/v1/namespaces/missing/configmaps"),
    post("/api/v1/namespaces/missing/configmaps", configMap("a")),
    get("/api/v1/namespaces/missing/configmaps/a"),
    post(services, service("web", { clusterIP: "None" })),
    get(services),
  ],
});

describeSameAnswers("watches tell what the real API server tells", {
  "resumes where it was left": [
    ...labelled,
    patch("merge", `${configMaps}/a`, { data: { b: "2" } }),
    remove(`${configMaps}/b`),
    watch(5, `${configMaps}?resourceVersion=$1.metadata.resourceVersion`),
    watch(1, `${configMaps}?resourceVersion=$5.metadata.resourceVersion`),
  ],
  "tells of objects that come into and leave a selection": [
    ...labelled,
    patch("merge", `${configMaps}/a`, { metadata: { labels: { app: "db" } } }),
    patch("merge", `${configMaps}/a`, { data: { b: "2" } }),
    patch("merge", `${configMaps}/a`, { metadata: { labels: { app: "web" } } }),
    remove(`${configMaps}/a`),
    watch(4, `${configMaps}?labelSelector=app%3Dweb&resourceVersion=$1.metadata.resourceVersion`),
    watch(4, `${configMaps}?labelSelector=app%3Ddb&resourceVersion=$1.metadata.resourceVersion`),
    watch(4, `${configMaps}?fieldSelector=metadata.name%3Da&resourceVersion=$1.metadata.resourceVersion`),
    watch(1, `${configMaps}/c?resourceVersion=$1.metadata.resourceVersion`),
    watch(1, "/api/v1/watch/namespaces/$ns/configmaps?resourceVersion=$7.metadata.resourceVersion"),
  ],
  "begins with what is there": [
    ...labelled.slice(0, 1),
    watch(1, configMaps),
    watch(1, `${configMaps}?resourceVersion=0`),
  ],
  "sends what is there as events of its own": [
    ...labelled.slice(0, 1),
    // Version 0 is any state that the server holds: this list waits until it holds the object.
    get(`${configMaps}?resourceVersion=$1.metadata.resourceVersion`),
    watch(2, `${configMaps}?${initialEvents}&resourceVersionMatch=NotOlderThan&resourceVersion=0`),
    get(`${configMaps}?watch=true&sendInitialEvents=true`),
    get(`${configMaps}?watch=true&resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?watch=true&resourceVersion=x`),
    get(`${configMaps}?watch=true&resourceVersion=-1`),
    inOwnWords(get(`${configMaps}?watch=true&labelSelector=a%20b`)),
    get(`${configMaps}?watch=true&fieldSelector=x%3Dy`),
  ],
  "is too late for what was forgotten": [watch(0, `${configMaps}?resourceVersion=1`)],
  "tells tables and metadata": [
    post(deployments, deployment("web", { replicas: 2 })),
    patch("merge", `${deployments}/web`, { spec: { replicas: 3 } }),
    watch(1, `${deployments}?resourceVersion=$1.metadata.resourceVersion`, {
      accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
    }),
    watch(1, `${deployments}?resourceVersion=$1.metadata.resourceVersion`, {
      accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    }),
  ],
});

function byLabels(selector: string): Request {
  return get(`${configMaps}?labelSelector=${encodeURIComponent(selector)}`);
}

/** A token for the next page of a list, as the API server makes them. */
function token(fields: object): string {
  return Buffer.from(JSON.stringify(fields)).toString("base64url");
}

function byFields(path: string, selector: string): Request {
  return get(`${path}?fieldSelector=${selector.replaceAll("=", "%3D").replaceAll(",", "%2C")}`);
}
