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
      configMap("a", { labels: { "a b": "c" } }),
      configMap("a", { labels: { a: "-" } }),
      configMap("a", { annotations: { "/": "a" } }),
      configMap("a", { name: undefined }),
      configMap("a", { namespace: "elsewhere" }),
      configMap("a", { resourceVersion: "1" }),
      configMap("a", { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "a" }] }),
      configMap("a", { labels: "text" }),
      configMap("a", { name: 1 }),
      { ...configMap("a"), data: { "a/b": "c" } },
      { ...configMap("a"), binaryData: { a: "c" } },
      { ...configMap("a"), binaryData: { b: "???" } },
    ],
  ],
  secrets: [
    "/api/v1/namespaces/$ns/secrets",
    [
      object("v1", "Secret", { data: { a: "text" } }),
      object("v1", "Secret", { type: "kubernetes.io/tls", data: {} }),
      object("v1", "Secret", {
        type: "kubernetes.io/dockerconfigjson",
        stringData: { ".dockerconfigjson": "{" },
      }),
      object("v1", "Secret", { type: "kubernetes.io/basic-auth", data: {} }),
      object("v1", "Secret", { type: "kubernetes.io/service-account-token" }),
      object("v1", "Secret", { stringData: { "a b": "c" } }),
    ],
  ],
  pods: [
    pods,
    [
      pod("a", { containers: [] }),
      pod("a", { containers: [{ name: "A", image: "a" }] }),
      pod("a", { containers: [{ name: "a" }] }),
      pod("a", { containers: [{ image: "a" }] }),
      pod("a", { containers: [main, main] }),
      pod("a", { restartPolicy: "Sometimes" }),
      pod("a", { dnsPolicy: "Sometimes" }),
      pod("a", { terminationGracePeriodSeconds: -1 }),
      pod("a", { activeDeadlineSeconds: 0 }),
      pod("a", { nodeSelector: { "a b": "c" } }),
      pod("a", {
        hostNetwork: true,
        containers: [{ ...main, ports: [{ containerPort: 80, hostPort: 81 }] }],
      }),
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
      pod("a", {
        volumes: [
          { name: "v", emptyDir: {} },
          { name: "v", emptyDir: {} },
        ],
      }),
      pod("a", { tolerations: [{ operator: "Near" }] }),
      pod("a", { tolerations: [{ key: "a", operator: "Exists", value: "b" }] }),
      pod("a", { tolerations: [{ key: "a", effect: "Never" }] }),
      pod("a", { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } }),
      pod("a", { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
      pod("a", { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Maybe" }] }),
      pod("a", { securityContext: { fsGroup: -1, sysctls: [{ name: "A B", value: "" }] } }),
      pod("a", { hostAliases: [{ ip: "x", hostnames: ["A"] }] }),
      pod("a", { imagePullSecrets: [{}] }),
      pod("a", { serviceAccountName: "A" }),
      pod("a", { priorityClassName: "missing" }),
      pod("a", { initContainers: [{ ...main, name: "i", readinessProbe: { exec: { command: ["a"] } } }] }),
      pod("a", { initContainers: [main] }),
      pod("a", { hostname: "A.b", subdomain: "C" }),
      pod("a", { dnsPolicy: "None" }),
      pod("a", { dnsConfig: { nameservers: ["x"] } }),
      pod("a", { enableServiceLinks: "yes" }),
    ],
  ],
  services: [
    services,
    [
      service("a", { ports: [] }),
      service("a", { ports: [{ port: 0 }] }),
      service("a", { ports: [{ port: 70000 }] }),
      service("a", { ports: [{ port: 80 }, { port: 81 }] }),
      service("a", {
        ports: [
          { name: "a", port: 80 },
          { name: "a", port: 81 },
        ],
      }),
      service("a", {
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 80 },
        ],
      }),
      service("a", { ports: [{ port: 80, protocol: "HTTP" }] }),
      service("a", { ports: [{ port: 80, targetPort: "Not_A_Port" }] }),
      service("a", { ports: [{ port: 80, targetPort: 0 }] }),
      service("a", { ports: [{ port: 80, nodePort: 30100 }] }),
      service("a", { type: "Elsewhere" }),
      service("a", { type: "ExternalName" }),
      service("a", { type: "ExternalName", externalName: "a b" }),
      service("a", { clusterIP: "x" }),
      service("a", { clusterIP: "None", type: "NodePort" }),
      service("a", { externalIPs: ["x"] }),
      service("a", { externalIPs: ["127.0.0.1"] }),
      service("a", { loadBalancerIP: "192.0.2.1" }),
      service("a", { loadBalancerSourceRanges: ["192.0.2.0/24"] }),
      service("a", { type: "LoadBalancer", loadBalancerSourceRanges: ["x"] }),
      service("a", { sessionAffinity: "Always" }),
      service("a", { sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } } }),
      service("a", { externalTrafficPolicy: "Local" }),
      service("a", { type: "NodePort", externalTrafficPolicy: "Near" }),
      service("a", { internalTrafficPolicy: "Near" }),
      service("a", { selector: { "a b": "c" } }),
      service("a", { ipFamilies: ["IPv6"] }),
      service("a", { ipFamilyPolicy: "Nonsense" }),
      service("a", { healthCheckNodePort: 30200 }),
      service("1a"),
    ],
  ],
  deployments: [
    deployments,
    [
      deployment("a", { selector: undefined }),
      deployment("a", { selector: {} }),
      deployment("a", { selector: { matchLabels: { app: "b" } } }),
      deployment("a", { selector: { matchExpressions: [{ key: "a", operator: "Near" }] } }),
      deployment("a", { replicas: -1 }),
      deployment("a", { replicas: "2" }),
      deployment("a", { template: undefined }),
      deployment("a", { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } }),
      deployment("a", { template: { ...template, spec: { containers: [{ name: "a" }] } } }),
      deployment("a", { strategy: { type: "Recreate", rollingUpdate: {} } }),
      deployment("a", { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
      deployment("a", { strategy: { rollingUpdate: { maxSurge: "a lot" } } }),
      deployment("a", { strategy: { rollingUpdate: { maxUnavailable: "150%" } } }),
      deployment("a", { minReadySeconds: -1 }),
      deployment("a", { minReadySeconds: 700 }),
      deployment("a", { revisionHistoryLimit: -1 }),
      { ...deployment("a"), spec: undefined },
    ],
  ],
  "stateful sets": [
    "/apis/apps/v1/namespaces/$ns/statefulsets",
    [
      workload("StatefulSet", { selector: {} }),
      workload("StatefulSet", { podManagementPolicy: "Any" }),
      workload("StatefulSet", { updateStrategy: { rollingUpdate: { partition: -1 } } }),
      workload("StatefulSet", { volumeClaimTemplates: [{ metadata: { name: "A" }, spec: {} }] }),
      workload("StatefulSet", { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Maybe" } }),
      workload("StatefulSet", { ordinals: { start: -1 } }),
      workload("StatefulSet", { serviceName: "A_b" }),
      workload("StatefulSet", {
        template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } },
      }),
    ],
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
      job({ template: { spec: { containers: [main] } } }),
      job({ template: { spec: { containers: [main], restartPolicy: "Always" } } }),
      job({ parallelism: -1, completions: -1, backoffLimit: -1, ttlSecondsAfterFinished: -1 }),
      job({ completionMode: "Indexed" }),
      job({ completionMode: "Any" }),
      job({ selector: { matchLabels: labels } }),
      job({ backoffLimitPerIndex: 1 }),
      job({ activeDeadlineSeconds: -1 }),
      job({ podFailurePolicy: { rules: [{ action: "Any" }] } }),
      job({ podReplacementPolicy: "Any" }),
      job({ managedBy: "no slash" }),
    ],
  ],
  "cron jobs": [
    "/apis/batch/v1/namespaces/$ns/cronjobs",
    [
      cronJob({ schedule: "" }),
      cronJob({ schedule: "every day" }),
      cronJob({ schedule: "61 * * * *" }),
      cronJob({ schedule: "TZ=UTC 0 * * * *" }),
      cronJob({ timeZone: "Nowhere/Else" }),
      cronJob({ timeZone: "" }),
      cronJob({ timeZone: "Local" }),
      cronJob({ concurrencyPolicy: "Maybe" }),
      cronJob({ startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1 }),
      cronJob({ jobTemplate: { spec: { template: { spec: { containers: [main] } } } } }),
      { ...cronJob({}), metadata: { name: "x".repeat(53) } },
    ],
  ],
  ingresses: [
    "/apis/networking.k8s.io/v1/namespaces/$ns/ingresses",
    [
      ingress({}),
      ingress({ rules: [{ host: "A b" }] }),
      ingress({ rules: [{ host: "192.0.2.1" }] }),
      ingress({ rules: [{ host: "*.*.com" }] }),
      ingress({ rules: [{ http: { paths: [] } }] }),
      ingress({ rules: [{ http: { paths: [path({ path: "a" })] } }] }),
      ingress({ rules: [{ http: { paths: [path({ path: "/a//b" })] } }] }),
      ingress({ rules: [{ http: { paths: [path({ pathType: undefined })] } }] }),
      ingress({ rules: [{ http: { paths: [path({ pathType: "Any" })] } }] }),
      ingress({ rules: [{ http: { paths: [path({ backend: {} })] } }] }),
      ingress({ rules: [{ http: { paths: [path({ backend: { service: { name: "a" } } })] } }] }),
      ingress({ defaultBackend: { service: { name: "A", port: { number: 0 } } } }),
      ingress({ defaultBackend: { service: { name: "a", port: { number: 80, name: "http" } } } }),
      ingress({ rules: [{ host: "a.com" }], tls: [{ hosts: ["A b"], secretName: "A" }] }),
      ingress({ rules: [{ host: "a.com" }], ingressClassName: "A b" }),
    ],
  ],
  "network policies": [
    "/apis/networking.k8s.io/v1/namespaces/$ns/networkpolicies",
    [
      networkPolicy({ podSelector: { matchLabels: { a: "-" } } }),
      networkPolicy({ policyTypes: ["Any"] }),
      networkPolicy({ policyTypes: ["Ingress", "Egress", "Ingress"] }),
      networkPolicy({ ingress: [{ from: [{}] }] }),
      networkPolicy({ ingress: [{ from: [{ ipBlock: { cidr: "x" } }] }] }),
      networkPolicy({ ingress: [{ from: [{ ipBlock: { cidr: "192.0.2.0/24", except: ["10.0.0.0/8"] } }] }] }),
      networkPolicy({ ingress: [{ from: [{ ipBlock: { cidr: "192.0.2.0/24" }, podSelector: {} }] }] }),
      networkPolicy({ egress: [{ ports: [{ port: 0 }, { port: "A b" }, { protocol: "HTTP" }] }] }),
      networkPolicy({ egress: [{ ports: [{ port: 90, endPort: 80 }, { endPort: 80 }] }] }),
    ],
  ],
  autoscalers: [
    "/apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers",
    [
      autoscaler({ maxReplicas: 0 }),
      autoscaler({ minReplicas: 5 }),
      autoscaler({ minReplicas: 0 }),
      autoscaler({ scaleTargetRef: {} }),
      autoscaler({ metrics: [{ type: "Resource" }] }),
      autoscaler({
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization" } } }],
      }),
      autoscaler({
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } },
          },
        ],
      }),
      autoscaler({ metrics: [{ type: "Any" }] }),
      autoscaler({ behavior: { scaleDown: { stabilizationWindowSeconds: -1 } } }),
      autoscaler({ behavior: { scaleUp: { policies: [{ type: "Any", value: 0, periodSeconds: 0 }] } } }),
    ],
  ],
  "disruption budgets": [
    "/apis/policy/v1/namespaces/$ns/poddisruptionbudgets",
    [
      budget({ minAvailable: 1, maxUnavailable: 1 }),
      budget({ minAvailable: -1 }),
      budget({ maxUnavailable: "150%" }),
      budget({ maxUnavailable: "some" }),
      budget({ unhealthyPodEvictionPolicy: "Any" }),
      budget({ selector: { matchLabels: { a: "-" } } }),
    ],
  ],
  roles: [
    "/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/roles",
    [
      rbac("Role", { rules: [{}] }),
      rbac("Role", { rules: [{ verbs: ["get"] }] }),
      rbac("Role", { rules: [{ verbs: ["get"], resources: ["pods"] }] }),
      rbac("Role", { rules: [{ verbs: [], apiGroups: [""], resources: ["pods"] }] }),
      rbac("Role", { rules: [{ verbs: ["get"], nonResourceURLs: ["/a"] }] }),
    ],
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
      claim({}),
      claim({ accessModes: ["Any"] }),
      claim({ accessModes: ["ReadWriteOnce"] }),
      claim({ accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "0" } } }),
      claim({
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        volumeMode: "Any",
      }),
      claim({
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: "A b",
      }),
      claim({
        accessModes: ["ReadWriteOncePod", "ReadOnlyMany"],
        resources: { requests: { storage: "1Gi" } },
      }),
    ],
  ],
  volumes: [
    "/api/v1/persistentvolumes",
    [
      volume({}),
      volume({ capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] }),
      volume({ capacity: { storage: "0" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } }),
      volume({
        capacity: { storage: "1" },
        accessModes: [],
        hostPath: { path: "/a" },
        nfs: { server: "a", path: "/" },
      }),
      volume({
        capacity: { storage: "1" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/" },
        persistentVolumeReclaimPolicy: "Recycle",
      }),
      volume({ capacity: { storage: "1", cpu: "1" }, accessModes: ["Any"], local: { path: "" } }),
    ],
  ],
  "resource quotas": [
    "/api/v1/namespaces/$ns/resourcequotas",
    [
      object("v1", "ResourceQuota", { spec: { hard: { "a b": "1" } } }),
      object("v1", "ResourceQuota", { spec: { hard: { pods: "-1" } } }),
      object("v1", "ResourceQuota", { spec: { hard: { pods: "0.5" } } }),
      object("v1", "ResourceQuota", { spec: { scopes: ["Any"] } }),
      object("v1", "ResourceQuota", { spec: { scopes: ["BestEffort", "NotBestEffort", "Any"] } }),
      object("v1", "ResourceQuota", { spec: { hard: { storage: "1" } } }),
    ],
  ],
  "limit ranges": [
    "/api/v1/namespaces/$ns/limitranges",
    [
      object("v1", "LimitRange", { spec: { limits: [{ type: "any thing" }] } }),
      object("v1", "LimitRange", {
        spec: { limits: [{ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }] },
      }),
      object("v1", "LimitRange", { spec: { limits: [{ type: "Pod", default: { cpu: "1" } }] } }),
      object("v1", "LimitRange", { spec: { limits: [{ type: "Container" }, { type: "Container" }] } }),
      object("v1", "LimitRange", { spec: { limits: [{ type: "PersistentVolumeClaim" }, {}, {}] } }),
      limitRange({ min: { cpu: "3" }, defaultRequest: { cpu: "2" }, default: { cpu: "1" } }),
      limitRange({ max: { cpu: "1" }, defaultRequest: { cpu: "3" }, default: { cpu: "2" } }),
      limitRange({ maxLimitRequestRatio: { cpu: "500m" } }),
    ],
  ],
  "storage classes": [
    "/apis/storage.k8s.io/v1/storageclasses",
    [
      object("storage.k8s.io/v1", "StorageClass", {}),
      object("storage.k8s.io/v1", "StorageClass", { provisioner: "A b" }),
      object("storage.k8s.io/v1", "StorageClass", { provisioner: "a", reclaimPolicy: "Any" }),
      object("storage.k8s.io/v1", "StorageClass", { provisioner: "a", volumeBindingMode: "Any" }),
      object("storage.k8s.io/v1", "StorageClass", { provisioner: "a", parameters: { "": "a" } }),
    ],
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
