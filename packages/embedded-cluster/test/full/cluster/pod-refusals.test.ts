import { pod, pods } from "../../support/objects.ts";
import { inOwnWords, patch, post, type Request } from "../../support/request.ts";
import { describeSameAnswers } from "./twins.ts";

const main = { name: "main", image: "a" };
const kept = { ...main, imagePullPolicy: "IfNotPresent" };

describeSameAnswers("the parts of pods are judged as by the real API server", {
  ports: containers(
    {
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 80 },
      ],
    },
    { ports: [{ containerPort: 80, hostPort: 70_000 }] },
  ),
  "ports on the network of the node": refused({
    hostNetwork: true,
    containers: [{ ...main, ports: [{}] }],
  }),
  names: refused(
    { containers: [{ image: "a" }, { image: "a" }] },
    {
      initContainers: [
        { ...main, name: "a" },
        { ...main, name: "a" },
      ],
    },
  ),
  "variables from fields": containers(
    ...[
      "",
      "metadata.labels",
      "metadata.labels['a b']",
      "metadata.annotations['A_B!']",
      "metadata.name['a']",
      "['a']",
      "spec['a",
    ].map((fieldPath) => variable({ fieldRef: { fieldPath } })),
  ),
  "variables from resources": containers(
    ...["", "limits.gpu", "limits.hugepages-2Mi"].map((resource) =>
      variable({ resourceFieldRef: { resource } }),
    ),
  ),
  "variables from objects": containers(
    variable({ secretKeyRef: { name: "", key: "a/b" } }),
    variable({ fieldRef: { fieldPath: "metadata.name" }, secretKeyRef: { name: "a", key: "b" } }),
    { envFrom: [{ prefix: "a=", configMapRef: { name: "A" }, secretRef: {} }] },
  ),
  resources: containers(
    { resources: { limits: { "a b": "1" } } },
    { resources: { limits: { "a/b/c": "1" } } },
    { resources: { limits: { "requests.a/b": "1" } } },
    { resources: { limits: { "kubernetes.io/a": "1" } } },
    { resources: { limits: { pods: "1" } } },
    { resources: { limits: { "example.com/gpu": "1" }, requests: { "example.com/gpu": "2" } } },
    { resources: { requests: { "hugepages-2Mi": "2Mi" } } },
    { resources: { limits: { "hugepages-2Mi": "2Mi" } } },
  ),
  mounts: refused({
    volumes: [{ name: "v", emptyDir: {} }],
    containers: [
      {
        ...main,
        volumeMounts: [
          { name: "v", mountPath: "/a", subPath: "/x/../y", mountPropagation: "Bidirectional" },
          { name: "v", mountPath: "/a", mountPropagation: "Any" },
        ],
      },
    ],
  }),
  probes: containers(
    { livenessProbe: { grpc: { port: 0 } } },
    { livenessProbe: { exec: { command: ["a"] }, terminationGracePeriodSeconds: 0 } },
    { readinessProbe: { exec: { command: ["a"] }, terminationGracePeriodSeconds: 5 } },
    {
      startupProbe: {
        httpGet: { port: 80, path: "/", scheme: "FTP", httpHeaders: [{ name: "a b", value: "c" }] },
      },
    },
  ),
  hooks: containers(
    { lifecycle: { preStop: { sleep: { seconds: 100 } } } },
    { lifecycle: { postStart: { sleep: { seconds: -1 } } } },
    { lifecycle: { postStart: { exec: {}, httpGet: { port: 1 } } } },
  ),
  "what init containers do not have": refused(
    {
      initContainers: [
        { ...main, name: "a", lifecycle: { preStop: { exec: { command: ["a"] } } }, startupProbe: {} },
      ],
    },
    { initContainers: [{ ...main, name: "a", restartPolicy: "Always", startupProbe: {} }] },
  ),
  "terms for nodes": refused(
    ...[
      { key: "a" },
      { key: "a", operator: "Gt", values: [] },
      { key: "", operator: "Lt", values: ["1", "2"] },
      { key: "a b", operator: "In", values: [] },
      { key: "a", operator: "NotIn", values: ["a b"] },
      { key: "a", operator: "Exists", values: ["1"] },
    ].map((term) => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [term] }],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 0, preference: { matchExpressions: [term] } },
          ],
        },
      },
    })),
  ),
  "terms for pods": refused(
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "a", labelSelector: { matchExpressions: [{ key: "a" }] } },
          ],
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 101, podAffinityTerm: { topologyKey: "" } },
          ],
        },
      },
    },
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "a",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchExpressions: [{ key: "a", operator: "Gt", values: ["1"] }] },
        },
      ],
    },
  ),
  tolerations: refused(
    { tolerations: [{ value: "b" }] },
    { tolerations: [{ key: "a b", value: "c d" }] },
    { tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 1 }] },
  ),
  gates: refused({ schedulingGates: [{ name: "a" }], nodeName: "b" }),
  "what names servers": refused(
    { dnsPolicy: "None" },
    { dnsPolicy: "None", dnsConfig: {} },
    { dnsConfig: { nameservers: ["x"] } },
  ),
  security: refused(
    {
      securityContext: {
        sysctls: [
          { name: "", value: "" },
          { name: "kernel.shm", value: "1" },
          { name: "kernel.shm", value: "1" },
        ],
      },
    },
    { securityContext: { supplementalGroups: [1, -1], fsGroupChangePolicy: "Any" } },
    { securityContext: { seccompProfile: { type: "Localhost" } } },
    { securityContext: { seccompProfile: {} } },
  ),
  "security, though shown without the names of Go": refused({
    securityContext: { seccompProfile: { type: "Unconfined", localhostProfile: "a" } },
  }).map(inOwnWords),
  volumes: refused(
    ...[
      { configMap: { items: [{ key: "a", path: "..b/../c" }] } },
      { csi: { driver: "" } },
      { csi: { driver: `A b${"c".repeat(70)}` } },
      { downwardAPI: { defaultMode: 1000, items: [{ path: "../a", mode: -1 }] } },
      { hostPath: { path: "/a/../b", type: "Wrong" } },
      { nfs: { server: "", path: "" } },
      {
        projected: {
          defaultMode: -1,
          sources: [{ secret: {}, configMap: { name: "a", items: [{ key: "", path: "" }] } }],
        },
      },
      {
        secret: {
          secretName: "a",
          items: [
            { key: "a", path: "/b" },
            { key: "b", path: "..c", mode: 512 },
          ],
        },
      },
    ].map((source) => ({ volumes: [{ name: "v", ...source }] })),
  ),
});

describeSameAnswers("changes of pods are judged as by the real API server", {
  "in images and lists of containers": [
    post(pods, pod("a", { containers: [kept], initContainers: [{ ...kept, name: "first" }] })),
    ...merges(
      { spec: { containers: [{ ...kept, image: "b" }] } },
      { spec: { containers: [{ ...kept, image: " " }] } },
      { spec: { containers: [{ ...kept, image: "" }], initContainers: null } },
      { spec: { containers: [kept, { ...kept, name: "second" }] } },
    ),
  ],
  "in deadlines": [
    post(pods, pod("a", { activeDeadlineSeconds: 10 })),
    ...[20, 0, 2 ** 31, 5, null].flatMap((seconds) => merges({ spec: { activeDeadlineSeconds: seconds } })),
  ],
  "in tolerations": [
    post(pods, pod("a", { tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute" }] })),
    ...merges(
      { spec: { tolerations: [] } },
      { spec: { tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }] } },
    ),
  ],
  "in gates": [
    post(pods, pod("a", { schedulingGates: [{ name: "a" }, { name: "b" }] })),
    ...merges(
      { spec: { schedulingGates: [{ name: "b" }, { name: "c" }] } },
      { spec: { schedulingGates: [{ name: "b" }] } },
    ),
  ],
  "in the class of service": [
    post(pods, pod("a")),
    patch("merge", `${pods}/a/status`, { status: { qosClass: "Guaranteed" } }),
    patch("merge", `${pods}/a/status`, { status: { phase: "Running" } }),
  ],
});

function merges(...patches: readonly object[]): readonly Request[] {
  return patches.map((each) => patch("merge", `${pods}/a`, each));
}

function refused(...specs: readonly object[]): readonly Request[] {
  return specs.map((spec) => post(`${pods}?dryRun=All`, pod("a", spec)));
}

function containers(...parts: readonly object[]): readonly Request[] {
  return refused(...parts.map((part) => ({ containers: [{ ...main, ...part }] })));
}

function variable(valueFrom: object): object {
  return { env: [{ name: "A", valueFrom }] };
}
