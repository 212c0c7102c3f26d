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
import { inOwnWords, patch, post, type Request } from "../../support/request.ts";
import { describeSameAnswers, type Scenarios } from "./twins.ts";

const main = { name: "main", image: "a" };
const labels = { app: "a" };
const template = { metadata: { labels }, spec: { containers: [main] } };
const powers = { allowPrivilegeEscalation: false, capabilities: { add: ["CAP_SYS_ADMIN"] } };
const gigabyte = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const jobTemplate = { spec: { containers: [main], restartPolicy: "Never" } };

/** Objects that are refused, or nearly, by the place to which they go. */
const judged: Readonly<Record<string, readonly [path: string, objects: readonly object[]]>> = {
  metadata: [
    configMaps,
    [
      configMap("Capital"),
      configMap("a_b"),
      configMap("x".repeat(254)),
      ...[
        { labels: { "a b": "c" } },
        { labels: { a: "-" } },
        { annotations: { "/": "a" } },
        { name: undefined },
        { namespace: "elsewhere" },
        { resourceVersion: "1" },
        { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "a" }] },
        { labels: "text" },
        { name: 1 },
      ].map((metadata) => configMap("a", metadata)),
      { ...configMap("a"), data: { "a/b": "c" } },
      { ...configMap("a"), binaryData: { a: "c" } },
      { ...configMap("a"), binaryData: { b: "???" } },
    ],
  ],
  secrets: [
    "/api/v1/namespaces/$ns/secrets",
    [
      { data: { a: "text" } },
      { type: "kubernetes.io/tls", data: {} },
      {
        type: "kubernetes.io/dockerconfigjson",
        stringData: { ".dockerconfigjson": "{" },
      },
      { type: "kubernetes.io/basic-auth", data: {} },
      { type: "kubernetes.io/service-account-token" },
      { stringData: { "a b": "c" } },
    ].map((body) => object("v1", "Secret", body)),
  ],
  pods: [
    pods,
    [
      ...[
        { containers: [] },
        { containers: [{ name: "A", image: "a" }] },
        { containers: [{ name: "a" }] },
        { containers: [{ image: "a" }] },
        { containers: [main, main] },
        { restartPolicy: "Sometimes" },
        { dnsPolicy: "Sometimes" },
        { terminationGracePeriodSeconds: -1 },
        { activeDeadlineSeconds: 0 },
        { nodeSelector: { "a b": "c" } },
        {
          hostNetwork: true,
          containers: [{ ...main, ports: [{ containerPort: 80, hostPort: 81 }] }],
        },
      ].map((spec) => pod("a", spec)),
      ...[
        { ports: [{ containerPort: 0 }] },
        { ports: [{ containerPort: 80, protocol: "HTTP" }] },
        { ports: [{ name: "toolongtobeaname", containerPort: 80 }] },
        {
          ports: [
            { name: "a", containerPort: 80 },
            { name: "a", containerPort: 81 },
          ],
        },
        { env: [{ name: "a=b", value: "c" }] },
        { env: [{ name: "" }] },
        { env: [{ name: "A", value: "c", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
        { env: [{ name: "A", valueFrom: {} }] },
        { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "spec.nothing" } } }] },
        { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "a", key: "" } } }] },
        { envFrom: [{}] },
        { imagePullPolicy: "Rarely" },
        { image: " a" },
        { resources: { limits: { cpu: "1" }, requests: { cpu: "2" } } },
        { resources: { limits: { cpu: "much" } } },
        { resources: { limits: { cpu: "-1" } } },
        { resources: { requests: { gpu: "1" } } },
        { resources: { limits: { "example.com/gpu": "0.5" } } },
        { volumeMounts: [{ name: "missing", mountPath: "/a" }] },
        { volumeMounts: [{ name: "v", mountPath: "" }] },
        { readinessProbe: {} },
        { readinessProbe: { httpGet: { port: 0 } } },
        { readinessProbe: { httpGet: { port: 80 }, exec: { command: ["a"] } } },
        { livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 } },
        { livenessProbe: { httpGet: { port: "no_name" }, periodSeconds: -1 } },
        { lifecycle: { preStop: {} } },
        { securityContext: { runAsUser: -1 } },
        { terminationMessagePolicy: "Never" },
        { workingDir: 1 },
        { command: "text" },
      ].map((more) => pod("a", { containers: [{ ...main, ...more }] })),
      ...[
        { name: "v" },
        { name: "V", emptyDir: {} },
        { name: "v", emptyDir: {}, secret: { secretName: "a" } },
        { name: "v", secret: {} },
        { name: "v", configMap: { name: "a", items: [{ key: "a", path: "../b" }] } },
        { name: "v", configMap: { name: "a", defaultMode: 1000 } },
        { name: "v", hostPath: { path: "" } },
        { name: "v", hostPath: { path: "/a/../b" } },
        { name: "v", hostPath: { path: "/a", type: "Wrong" } },
        { name: "v", persistentVolumeClaim: {} },
        { name: "v", projected: { sources: [{}] } },
        { name: "v", downwardAPI: { items: [{ path: "a" }] } },
        { name: "v", nfs: { server: "a" } },
      ].map((volume) => pod("a", { volumes: [volume] })),
      ...[
        {
          volumes: [
            { name: "v", emptyDir: {} },
            { name: "v", emptyDir: {} },
          ],
        },
        { tolerations: [{ operator: "Near" }] },
        { tolerations: [{ key: "a", operator: "Exists", value: "b" }] },
        { tolerations: [{ key: "a", effect: "Never" }] },
        { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } },
        { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } },
        { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Maybe" }] },
        { securityContext: { fsGroup: -1, sysctls: [{ name: "A B", value: "" }] } },
        { hostAliases: [{ ip: "x", hostnames: ["A"] }] },
        { imagePullSecrets: [{}] },
        { serviceAccountName: "A" },
        { priorityClassName: "missing" },
        { initContainers: [{ ...main, name: "i", readinessProbe: { exec: { command: ["a"] } } }] },
        { initContainers: [main] },
        { hostname: "A.b", subdomain: "C" },
        { dnsPolicy: "None" },
        { dnsConfig: { nameservers: ["x"] } },
        { enableServiceLinks: "yes" },
      ].map((spec) => pod("a", spec)),
    ],
  ],
  services: [
    services,
    [
      ...[
        { ports: [] },
        { ports: [{ port: 0 }] },
        { ports: [{ port: 70000 }] },
        { ports: [{ port: 80 }, { port: 81 }] },
        {
          ports: [
            { name: "a", port: 80 },
            { name: "a", port: 81 },
          ],
        },
        {
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 80 },
          ],
        },
        { ports: [{ port: 80, protocol: "HTTP" }] },
        { ports: [{ port: 80, targetPort: "Not_A_Port" }] },
        { ports: [{ port: 80, targetPort: 0 }] },
        { ports: [{ port: 80, nodePort: 30100 }] },
        { type: "Elsewhere" },
        { type: "ExternalName" },
        { type: "ExternalName", externalName: "a b" },
        { clusterIP: "x" },
        { clusterIP: "None", type: "NodePort" },
        { externalIPs: ["x"] },
        { externalIPs: ["127.0.0.1"] },
        { loadBalancerIP: "192.0.2.1" },
        { loadBalancerSourceRanges: ["192.0.2.0/24"] },
        { type: "LoadBalancer", loadBalancerSourceRanges: ["x"] },
        { sessionAffinity: "Always" },
        { sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } } },
        { externalTrafficPolicy: "Local" },
        { type: "NodePort", externalTrafficPolicy: "Near" },
        { internalTrafficPolicy: "Near" },
        { selector: { "a b": "c" } },
        { ipFamilies: ["IPv6"] },
        { ipFamilyPolicy: "Nonsense" },
        { healthCheckNodePort: 30200 },
      ].map((spec) => service("a", spec)),
      service("1a"),
    ],
  ],
  deployments: [
    deployments,
    [
      ...[
        { selector: undefined },
        { selector: {} },
        { selector: { matchLabels: { app: "b" } } },
        { selector: { matchExpressions: [{ key: "a", operator: "Near" }] } },
        { replicas: -1 },
        { replicas: "2" },
        { template: undefined },
        { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } },
        { template: { ...template, spec: { containers: [{ name: "a" }] } } },
        { strategy: { type: "Recreate", rollingUpdate: {} } },
        { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
        { strategy: { rollingUpdate: { maxSurge: "a lot" } } },
        { strategy: { rollingUpdate: { maxUnavailable: "150%" } } },
        { minReadySeconds: -1 },
        { minReadySeconds: 700 },
        { revisionHistoryLimit: -1 },
      ].map((spec) => deployment("a", spec)),
      { ...deployment("a"), spec: undefined },
    ],
  ],
  "stateful sets": [
    "/apis/apps/v1/namespaces/$ns/statefulsets",
    [
      { selector: {} },
      { podManagementPolicy: "Any" },
      { updateStrategy: { rollingUpdate: { partition: -1 } } },
      { volumeClaimTemplates: [{ metadata: { name: "A" }, spec: {} }] },
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Maybe" } },
      { ordinals: { start: -1 } },
      { serviceName: "A_b" },
      {
        template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } },
      },
    ].map((spec) => workload("StatefulSet", spec)),
  ],
  "daemon sets": [
    "/apis/apps/v1/namespaces/$ns/daemonsets",
    [
      workload("DaemonSet", { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
      workload("DaemonSet", {
        template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } },
      }),
      workload("DaemonSet", { selector: undefined }),
    ],
  ],
  jobs: [
    "/apis/batch/v1/namespaces/$ns/jobs",
    [
      { template: { spec: { containers: [main] } } },
      { template: { spec: { containers: [main], restartPolicy: "Always" } } },
      { parallelism: -1, completions: -1, backoffLimit: -1, ttlSecondsAfterFinished: -1 },
      { completionMode: "Indexed" },
      { completionMode: "Any" },
      { selector: { matchLabels: labels } },
      { backoffLimitPerIndex: 1 },
      { activeDeadlineSeconds: -1 },
      { podFailurePolicy: { rules: [{ action: "Any" }] } },
      { podReplacementPolicy: "Any" },
      { managedBy: "no slash" },
    ].map(job),
  ],
  "cron jobs": [
    "/apis/batch/v1/namespaces/$ns/cronjobs",
    [
      ...[
        { schedule: "" },
        { schedule: "every day" },
        { schedule: "61 * * * *" },
        { schedule: "TZ=UTC 0 * * * *" },
        { timeZone: "Nowhere/Else" },
        { timeZone: "" },
        { timeZone: "Local" },
        { concurrencyPolicy: "Maybe" },
        { startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1 },
        { jobTemplate: { spec: { template: { spec: { containers: [main] } } } } },
      ].map(cronJob),
      { ...cronJob({}), metadata: { name: "x".repeat(53) } },
    ],
  ],
  ingresses: [
    "/apis/networking.k8s.io/v1/namespaces/$ns/ingresses",
    [
      {},
      { rules: [{ host: "A b" }] },
      { rules: [{ host: "192.0.2.1" }] },
      { rules: [{ host: "*.*.com" }] },
      { rules: [{ http: { paths: [] } }] },
      { rules: [{ http: { paths: [path({ path: "a" })] } }] },
      { rules: [{ http: { paths: [path({ path: "/a//b" })] } }] },
      { rules: [{ http: { paths: [path({ pathType: undefined })] } }] },
      { rules: [{ http: { paths: [path({ pathType: "Any" })] } }] },
      { rules: [{ http: { paths: [path({ backend: {} })] } }] },
      { rules: [{ http: { paths: [path({ backend: { service: { name: "a" } } })] } }] },
      { defaultBackend: { service: { name: "A", port: { number: 0 } } } },
      { defaultBackend: { service: { name: "a", port: { number: 80, name: "http" } } } },
      { rules: [{ host: "a.com" }], tls: [{ hosts: ["A b"], secretName: "A" }] },
      { rules: [{ host: "a.com" }], ingressClassName: "A b" },
    ].map(ingress),
  ],
  "network policies": [
    "/apis/networking.k8s.io/v1/namespaces/$ns/networkpolicies",
    [
      { podSelector: { matchLabels: { a: "-" } } },
      { policyTypes: ["Any"] },
      { policyTypes: ["Ingress", "Egress", "Ingress"] },
      { ingress: [{ from: [{}] }] },
      { ingress: [{ from: [{ ipBlock: { cidr: "x" } }] }] },
      { ingress: [{ from: [{ ipBlock: { cidr: "192.0.2.0/24", except: ["10.0.0.0/8"] } }] }] },
      { ingress: [{ from: [{ ipBlock: { cidr: "192.0.2.0/24" }, podSelector: {} }] }] },
      { egress: [{ ports: [{ port: 0 }, { port: "A b" }, { protocol: "HTTP" }] }] },
      { egress: [{ ports: [{ port: 90, endPort: 80 }, { endPort: 80 }] }] },
    ].map(networkPolicy),
  ],
  autoscalers: [
    "/apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers",
    [
      { maxReplicas: 0 },
      { minReplicas: 5 },
      { minReplicas: 0 },
      { scaleTargetRef: {} },
      { metrics: [{ type: "Resource" }] },
      {
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization" } } }],
      },
      {
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } },
          },
        ],
      },
      { metrics: [{ type: "Any" }] },
      { behavior: { scaleDown: { stabilizationWindowSeconds: -1 } } },
      { behavior: { scaleUp: { policies: [{ type: "Any", value: 0, periodSeconds: 0 }] } } },
    ].map(autoscaler),
  ],
  "disruption budgets": [
    "/apis/policy/v1/namespaces/$ns/poddisruptionbudgets",
    [
      { minAvailable: 1, maxUnavailable: 1 },
      { minAvailable: -1 },
      { maxUnavailable: "150%" },
      { maxUnavailable: "some" },
      { unhealthyPodEvictionPolicy: "Any" },
      { selector: { matchLabels: { a: "-" } } },
    ].map(budget),
  ],
  roles: [
    "/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/roles",
    [
      { rules: [{}] },
      { rules: [{ verbs: ["get"] }] },
      { rules: [{ verbs: ["get"], resources: ["pods"] }] },
      { rules: [{ verbs: [], apiGroups: [""], resources: ["pods"] }] },
      { rules: [{ verbs: ["get"], nonResourceURLs: ["/a"] }] },
    ].map((body) => rbac("Role", body)),
  ],
  "role bindings": [
    "/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/rolebindings",
    [
      binding({}, []),
      binding({ kind: "Role", name: "a", apiGroup: "wrong" }, []),
      binding({ kind: "Any", name: "a", apiGroup: "rbac.authorization.k8s.io" }, []),
      binding({ kind: "Role", name: "", apiGroup: "rbac.authorization.k8s.io" }, []),
      ...[
        {},
        { kind: "User", name: "a" },
        { kind: "ServiceAccount", name: "a" },
        { kind: "ServiceAccount", name: "A", namespace: "a" },
        { kind: "Any", name: "a" },
        { kind: "Group", name: "", apiGroup: "rbac.authorization.k8s.io" },
      ].map((subject) =>
        binding({ kind: "ClusterRole", name: "view", apiGroup: "rbac.authorization.k8s.io" }, [subject]),
      ),
    ],
  ],
  claims: [
    "/api/v1/namespaces/$ns/persistentvolumeclaims",
    [
      {},
      { accessModes: ["Any"] },
      { accessModes: ["ReadWriteOnce"] },
      { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "0" } } },
      {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        volumeMode: "Any",
      },
      {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: "A b",
      },
      {
        accessModes: ["ReadWriteOncePod", "ReadOnlyMany"],
        resources: { requests: { storage: "1Gi" } },
      },
    ].map(claim),
  ],
  volumes: [
    "/api/v1/persistentvolumes",
    [
      {},
      { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
      { capacity: { storage: "0" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
      {
        capacity: { storage: "1" },
        accessModes: [],
        hostPath: { path: "/a" },
        nfs: { server: "a", path: "/" },
      },
      {
        capacity: { storage: "1" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/" },
        persistentVolumeReclaimPolicy: "Recycle",
      },
      { capacity: { storage: "1", cpu: "1" }, accessModes: ["Any"], local: { path: "" } },
    ].map(volume),
  ],
  "resource quotas": [
    "/api/v1/namespaces/$ns/resourcequotas",
    [
      { spec: { hard: { "a b": "1" } } },
      { spec: { hard: { pods: "-1" } } },
      { spec: { hard: { pods: "0.5" } } },
      { spec: { scopes: ["Any"] } },
      { spec: { scopes: ["BestEffort", "NotBestEffort", "Any"] } },
      { spec: { hard: { storage: "1" } } },
    ].map((body) => object("v1", "ResourceQuota", body)),
  ],
  "limit ranges": [
    "/api/v1/namespaces/$ns/limitranges",
    [
      ...[
        { spec: { limits: [{ type: "any thing" }] } },
        {
          spec: { limits: [{ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }] },
        },
        { spec: { limits: [{ type: "Pod", default: { cpu: "1" } }] } },
        { spec: { limits: [{ type: "Container" }, { type: "Container" }] } },
        { spec: { limits: [{ type: "PersistentVolumeClaim" }, {}, {}] } },
      ].map((body) => object("v1", "LimitRange", body)),
      limitRange({ min: { cpu: "3" }, defaultRequest: { cpu: "2" }, default: { cpu: "1" } }),
      limitRange({ max: { cpu: "1" }, defaultRequest: { cpu: "3" }, default: { cpu: "2" } }),
      limitRange({ maxLimitRequestRatio: { cpu: "500m" } }),
    ],
  ],
  "storage classes": [
    "/apis/storage.k8s.io/v1/storageclasses",
    [
      {},
      { provisioner: "A b" },
      { provisioner: "a", reclaimPolicy: "Any" },
      { provisioner: "a", volumeBindingMode: "Any" },
      { provisioner: "a", parameters: { "": "a" } },
    ].map((body) => object("storage.k8s.io/v1", "StorageClass", body)),
  ],
  "priority classes": [
    "/apis/scheduling.k8s.io/v1/priorityclasses",
    [
      object("scheduling.k8s.io/v1", "PriorityClass", { value: 2_000_000_000 }),
      object("scheduling.k8s.io/v1", "PriorityClass", { value: 1, preemptionPolicy: "Any" }),
      { ...object("scheduling.k8s.io/v1", "PriorityClass", { value: 1 }), metadata: { name: "system-a" } },
    ],
  ],
  webhooks: [
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    [
      webhook({}),
      webhook({ name: "a", sideEffects: "Any", admissionReviewVersions: [], clientConfig: {} }),
      webhook({ sideEffects: "None", admissionReviewVersions: ["v1"], clientConfig: { url: "http://a" } }),
      webhook({
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        clientConfig: { service: { name: "a", namespace: "b", port: 0, path: "a" } },
        rules: [{ operations: ["ANY"], apiGroups: [], apiVersions: ["v1"], resources: ["a/b/c"] }],
        timeoutSeconds: 40,
        failurePolicy: "Any",
      }),
      ...["a/b", "//", "/a//b", "/a/b/", "/A_b/c"].map((place) =>
        webhook({
          sideEffects: "None",
          admissionReviewVersions: ["v1", "v1"],
          clientConfig: { service: { name: "a", namespace: "b", path: place } },
        }),
      ),
      webhook({
        sideEffects: "None",
        admissionReviewVersions: ["v2"],
        clientConfig: { url: "https://a/b?c#d" },
        rules: [{ operations: [], apiGroups: ["*", "a"], apiVersions: ["*", "v1"], resources: [] }],
      }),
    ],
  ],
  "mutating webhooks": [
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    [
      {
        ...webhook({
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          clientConfig: { url: "https://a" },
          reinvocationPolicy: "Any",
          matchPolicy: "Any",
        }),
        kind: "MutatingWebhookConfiguration",
      },
    ],
  ],
  "ingress classes": [
    "/apis/networking.k8s.io/v1/ingressclasses",
    [
      ingressClass({}),
      ingressClass({ controller: "a" }),
      ingressClass({ controller: "A_b/c d" }),
      ingressClass({ controller: "a.b/c", parameters: { apiGroup: "A", kind: "a/b" } }),
      ...[{ scope: "Any" }, { scope: "Namespace" }, { namespace: "a" }].map((more) =>
        ingressClass({ controller: "a.b/c", parameters: { kind: "a", name: "b", ...more } }),
      ),
    ],
  ],
  nodes: [
    "/api/v1/nodes",
    [
      object("v1", "Node", {
        spec: {
          taints: [
            { key: "a b", value: "c d" },
            { key: "a", effect: "Any" },
            { key: "a", effect: "Any" },
          ],
        },
      }),
    ],
  ],
  "API services": [
    "/apis/apiregistration.k8s.io/v1/apiservices",
    [
      apiService({ group: "A b", version: "V1", groupPriorityMinimum: 20_001, versionPriority: 1001 }),
      apiService({ group: "", insecureSkipTLSVerify: true, caBundle: "YQ==" }),
      apiService({ service: { port: 0 }, insecureSkipTLSVerify: true }),
    ],
  ],
  "cluster roles": [
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    [
      rbac("ClusterRole", { aggregationRule: {} }),
      rbac("ClusterRole", { rules: [{ verbs: ["get"], nonResourceURLs: ["/a"], resources: ["pods"] }] }),
    ],
  ],
  "definitions of custom resources": [
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    [
      definition({ group: "a", scope: "Any", names: { plural: "A", kind: "b_c", listKind: "b_c" } }),
      definition({ names: { plural: "things", kind: "Thing", shortNames: ["A"], categories: ["B"] } }),
      definition({ group: "a.k8s.io" }),
      definition({ preserveUnknownFields: true }),
      definition({ versions: [version("V1", {})] }),
      definition({ versions: [version("v1", {}), version("v2", { storage: false, schema: {} })] }),
      version("v1", { additionalPrinterColumns: [{}, { name: "a", type: "any" }] }),
      ...["", ".", "$.a", "{.a}", ".a[", ".spec", "spec.a", ".status.a", ".spec..", ".spec.a[0]"].map(
        (path) =>
          version("v1", {
            additionalPrinterColumns: [{ name: "a", type: "string", jsonPath: path }],
            subresources: {
              scale: { specReplicasPath: path, statusReplicasPath: path, labelSelectorPath: path },
            },
          }),
      ),
      ...[
        { type: "array" },
        { type: "object", properties: { a: {}, b: { type: "any" } } },
        { type: "object", properties: { a: { type: "array" } } },
        { type: "object", anyOf: [{ type: "object", title: "a" }] },
        { type: "object", additionalProperties: { type: "string" } },
        { type: "object", "x-kubernetes-int-or-string": true },
        { type: "object", "x-kubernetes-preserve-unknown-fields": false },
      ].map((openAPIV3Schema) => version("v1", { schema: { openAPIV3Schema } })),
    ].map((one) => ("kind" in one ? one : definition({ versions: [one] }))),
  ],
};

describeSameAnswers(
  "objects are judged as by the real API server",
  Object.fromEntries(
    Object.entries(judged).map(([kind, [place, objects]]) => [
      kind,
      objects.map((each) => post(`${place}?dryRun=All`, each)),
    ]),
  ),
);

describeSameAnswers("objects are judged alike, though shown without the names of Go", {
  "in what they say of parts": [
    post(deployments, deployment("a", { strategy: { type: "Slowly" } })),
    post(
      "/apis/apps/v1/namespaces/$ns/statefulsets",
      workload("StatefulSet", { updateStrategy: { type: "Any" } }),
    ),
    post(
      "/apis/apps/v1/namespaces/$ns/daemonsets",
      workload("DaemonSet", { updateStrategy: { type: "Any" } }),
    ),
    post("/apis/batch/v1/namespaces/$ns/jobs", job({ successPolicy: { rules: [] } })),
    post(pods, pod("a", { containers: [{ ...main, securityContext: powers }] })),
    ...[true, false].map((storage) =>
      post(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        definition({ versions: [version("v1", {}), version(storage ? "v2" : "v1", { storage })] }),
      ),
    ),
  ].map(inOwnWords),
  "in what they say of changes": [
    post(pods, pod("a")),
    ...merges(
      `${pods}/a`,
      { spec: { containers: [{ name: "main", image: "example.com/main:1", args: ["-v"] }] } },
      { spec: { restartPolicy: "Never" } },
    ),
    post("/apis/batch/v1/namespaces/$ns/jobs", job({})),
    ...merges("/apis/batch/v1/namespaces/$ns/jobs/a", {
      spec: { template: { spec: { restartPolicy: "OnFailure" } } },
    }),
    post("/api/v1/namespaces/$ns/persistentvolumeclaims", claim(gigabyte)),
    ...merges(
      "/api/v1/namespaces/$ns/persistentvolumeclaims/a",
      { spec: { accessModes: ["ReadOnlyMany"] } },
      { spec: { resources: { requests: { storage: "2Gi" } } } },
    ),
  ].map(inOwnWords),
});

const changes: Scenarios = {
  "of a deployment": [
    post(deployments, deployment("a")),
    ...merges(
      `${deployments}/a`,
      { spec: { selector: { matchLabels: { app: "b" } } } },
      { spec: { selector: null } },
      { spec: { replicas: -1 } },
      { spec: { template: { spec: { containers: [] } } } },
      { spec: { strategy: { type: "Recreate" } } },
    ),
  ],
  "of a stateful set": [
    post("/apis/apps/v1/namespaces/$ns/statefulsets", workload("StatefulSet", {})),
    ...merges(
      "/apis/apps/v1/namespaces/$ns/statefulsets/a",
      { spec: { serviceName: "b" } },
      { spec: { replicas: 3 } },
    ),
  ],
  "of a service": [
    post(services, service("b", { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] })),
    post(services, service("b", { clusterIP: "192.0.2.1" })),
    post(services, service("a")),
    ...merges(
      `${services}/a`,
      { spec: { clusterIP: "10.0.0.77" } },
      { spec: { type: "NodePort" } },
      { spec: { type: "ClusterIP" } },
      { spec: { type: "ExternalName", externalName: "a.com" } },
      { spec: { ports: [] } },
    ),
  ],
  "of a pod": [
    post(pods, pod("a")),
    ...merges(
      `${pods}/a`,
      { spec: { activeDeadlineSeconds: -1 } },
      { spec: { tolerations: [{ key: "a" }] } },
      { spec: { activeDeadlineSeconds: 5 } },
      { metadata: { labels: { a: "b" } } },
    ),
  ],
  "of a job": [
    post("/apis/batch/v1/namespaces/$ns/jobs", job({})),
    ...merges(
      "/apis/batch/v1/namespaces/$ns/jobs/a",
      { spec: { completions: 3 } },
      { spec: { parallelism: 2, suspend: true } },
    ),
  ],
  "of what is immutable": [
    post(configMaps, { ...configMap("a"), immutable: true }),
    ...merges(
      `${configMaps}/a`,
      { data: { b: "2" } },
      { immutable: false },
      { metadata: { labels: { a: "b" } } },
    ),
    post("/api/v1/namespaces/$ns/secrets", object("v1", "Secret", { immutable: true, type: "a/b" })),
    ...merges("/api/v1/namespaces/$ns/secrets/a", { type: "c/d" }, { stringData: { a: "b" } }),
  ],
  "of a quota": [
    post(
      "/api/v1/namespaces/$ns/resourcequotas",
      object("v1", "ResourceQuota", { spec: { scopes: ["BestEffort"] } }),
    ),
    ...merges(
      "/api/v1/namespaces/$ns/resourcequotas/a",
      { spec: { scopes: null } },
      { spec: { scopes: ["Terminating"] } },
    ),
  ],
  "of a role binding": [
    post(
      "/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/rolebindings",
      binding({ kind: "ClusterRole", name: "view", apiGroup: "rbac.authorization.k8s.io" }, []),
    ),
    ...merges("/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/rolebindings/a", {
      roleRef: { name: "edit" },
    }),
  ],
};

describeSameAnswers("changes are judged as by the real API server", changes);

function merges(place: string, ...patches: readonly object[]): readonly Request[] {
  return patches.map((each) => patch("merge", place, each));
}

function object(apiVersion: string, kind: string, body: object): object {
  return { apiVersion, kind, metadata: { name: "a" }, ...body };
}

function workload(kind: string, spec: object): object {
  return object("apps/v1", kind, { spec: { selector: { matchLabels: labels }, template, ...spec } });
}

function job(spec: object): object {
  return object("batch/v1", "Job", { spec: { template: jobTemplate, ...spec } });
}

function cronJob(spec: object): object {
  const inner = { spec: { template: jobTemplate } };
  return object("batch/v1", "CronJob", { spec: { schedule: "0 * * * *", jobTemplate: inner, ...spec } });
}

function ingress(spec: object): object {
  return object("networking.k8s.io/v1", "Ingress", { spec });
}

function path(more: object): object {
  const backend = { service: { name: "a", port: { number: 80 } } };
  return { path: "/", pathType: "Prefix", backend, ...more };
}

function networkPolicy(spec: object): object {
  return object("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {}, ...spec } });
}

function autoscaler(spec: object): object {
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "a" };
  return object("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: { scaleTargetRef, maxReplicas: 3, ...spec },
  });
}

function budget(spec: object): object {
  return object("policy/v1", "PodDisruptionBudget", { spec });
}

function rbac(kind: string, body: object): object {
  return object("rbac.authorization.k8s.io/v1", kind, body);
}

function binding(roleRef: object, subjects: readonly object[]): object {
  return rbac("RoleBinding", { roleRef, subjects });
}

function claim(spec: object): object {
  return object("v1", "PersistentVolumeClaim", { spec });
}

function volume(spec: object): object {
  return object("v1", "PersistentVolume", { spec });
}

function limitRange(limit: object): object {
  return object("v1", "LimitRange", { spec: { limits: [{ type: "Container", ...limit }] } });
}

function ingressClass(spec: object): object {
  return object("networking.k8s.io/v1", "IngressClass", { spec });
}

function apiService(spec: object): object {
  return object("apiregistration.k8s.io/v1", "APIService", {
    spec: { group: "a.b", version: "v1", groupPriorityMinimum: 1, versionPriority: 1, ...spec },
  });
}

function definition(spec: object): object {
  return {
    ...object("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
      spec: {
        group: "a.b",
        scope: "Cluster",
        names: { plural: "things", kind: "Thing" },
        versions: [version("v1", {})],
        ...spec,
      },
    }),
    metadata: { name: "things.a.b" },
  };
}

function version(name: string, more: object): object {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } }, ...more };
}

function webhook(hook: object): object {
  return object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", {
    webhooks: [{ name: "a.example.com", ...hook }],
  });
}
