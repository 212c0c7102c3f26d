import { configMaps, deployment, deployments, pods } from "../../support/objects.ts";
import { get, inOwnWords, post, put, remove, withoutBody } from "../../support/request.ts";
import { describeSameAnswers } from "./twins.ts";

const aggregated = { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
const groups = [
  "admissionregistration.k8s.io/v1",
  "apiextensions.k8s.io/v1",
  "apiregistration.k8s.io/v1",
  "apps/v1",
  "autoscaling/v1",
  "autoscaling/v2",
  "batch/v1",
  "certificates.k8s.io/v1",
  "coordination.k8s.io/v1",
  "discovery.k8s.io/v1",
  "events.k8s.io/v1",
  "flowcontrol.apiserver.k8s.io/v1",
  "networking.k8s.io/v1",
  "node.k8s.io/v1",
  "policy/v1",
  "rbac.authorization.k8s.io/v1",
  "scheduling.k8s.io/v1",
  "storage.k8s.io/v1",
];

describeSameAnswers("discovery tells what the real API server tells", {
  "of groups": [get("/api"), get("/apis")],
  "of all at once": [get("/api", aggregated), get("/apis", aggregated)],
  "of the core group": [get("/api/v1")],
  ...Object.fromEntries(
    groups.map((group) => [
      `of ${group}`,
      [get(`/apis/${group}`), get(`/apis/${group.slice(0, group.indexOf("/"))}`)],
    ]),
  ),
  "of its version": [get("/version")],
});

const binary = { accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" };

describeSameAnswers("OpenAPI is told in the same form", {
  "of version 2, as bytes and as text": [
    withoutBody(get("/openapi/v2", binary)),
    withoutBody(get("/openapi/v2", { accept: "application/json" })),
  ],
  "of version 3": [withoutBody(get("/openapi/v3/api/v1")), withoutBody(get("/openapi/v3/apis/apps/v1"))],
});

describeSameAnswers("paths that lead nowhere are answered as by the real API server", {
  "has no such resource": [
    "/api/v1/namespaces/$ns/gadgets",
    "/api/v1/namespaces/$ns/gadgets/a",
    "/apis/apps/v1/namespaces/$ns/configmaps",
    "/apis/apps/v2/namespaces/$ns/deployments",
    "/apis/example.com/v1/things",
    "/apis/example.com",
    "/apis/example.com/v1",
    "/api/v2",
    "/apis/apps/v2",
    "/nothing",
    "/api/v1/namespaces/$ns/configmaps/a/status",
    "/api/v1/namespaces/$ns/pods/a/nothing",
  ].map((path) => get(path)),
  "has no such verb": [
    post("/api/v1/namespaces/$ns/configmaps/a", {}),
    put("/api/v1/namespaces/$ns/configmaps", {}),
    remove("/api/v1/namespaces"),
    post("/api/v1/configmaps", {}),
    post("/api/v1/namespaces/$ns/configmaps/a/status", {}),
  ],
  "has no such object": [
    get(`${deployments}/a`),
    get(`${deployments}/a/scale`),
    get(`${pods}/a/log`),
    put(`${deployments}/a`, deployment("a")),
    remove(`${configMaps}/a`),
  ],
  "is well": [get("/healthz"), get("/readyz"), get("/livez")],
});

const nobody = { authorization: "" };
const stranger = { authorization: "Bearer wrong" };

describeSameAnswers("strangers are turned away as by the real API server", {
  "with a wrong token": [
    get("/api/v1/namespaces", stranger),
    get("/version", stranger),
    get("/nothing", stranger),
    post(configMaps, {}, stranger),
  ],
  "without a token": [get("/healthz", nobody), get("/version", nobody), inOwnWords(get("/readyz", nobody))],
});
