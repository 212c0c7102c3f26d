import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { isJsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { parseAllDocuments } from "yaml";

/** A request for a certificate, without meaning. */
const request =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcE1JR1JBZ0VBTUM4eEZqQVVCZ05WQkFNTURYTjVjM1JsYlRwdWIyUmxPbmd4RlRBVEJnTlZCQW9NREhONQpjM1JsYlRwdWIyUmxjekJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFCSDhIYVMyRnlEcnI2NFYvCkl5aDdKLzRMTTZsQ2VLbCtjb2JNbjAzVElJQ2xEbGZBdVJkbWhIUVNJck51bUJVd1FCZU1UYnZ5L1BMRWwzWFoKamIyeFc1R2dBREFLQmdncWhrak9QUVFEQWdOSEFEQkVBaUJlMmQyYVljcUhEeEJoOUk5N2hHYWFBVGVlOWh2aQpXMTFhTG9ZNFQvTVlNd0lnQUpYaHdDNnBpMGdMbnY3MExTMlZqVmxwd2x5elJKR0l1UTZDd0liNEU5RT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

/**
 * An object of every kind that a server can apply, written as people write them, in ways that the server stores in
 * another form. `at` is part of the names of objects without a namespace.
 */
export function everyKind(namespace: string, at: string): readonly KubeObject[] {
  const inNamespace = objectsIn(`${workloads}---${namespacedIn(namespace)}`);
  return [
    ...inNamespace.map((object) => ({ ...object, metadata: { ...object.metadata, namespace } })),
    ...objectsIn(clusterWide(at)),
  ];
}

function objectsIn(text: string): readonly KubeObject[] {
  return parseAllDocuments(text).map((document) => {
    const object: unknown = document.toJS();
    assert.ok(isKubeObject(object));
    return object;
  });
}

function isKubeObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && typeof value["kind"] === "string" && isJsonObject(value["metadata"]);
}

const container = `
  name: main
  image: registry.example.com/app
  tty: false
  stdin: false
  workingDir: ""
  imagePullPolicy: ""
  command: []
  args: [--port, "80"]
  env:
    - {name: EMPTY, value: ""}
    - {name: FULL, value: "1"}
    - {name: NONE}
    - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
    - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 0}}}
    - {name: CONF, valueFrom: {configMapKeyRef: {name: conf, key: a, optional: false}}}
  envFrom: [{configMapRef: {name: conf}}, {prefix: "", secretRef: {name: keys}}]
  resources: {limits: {cpu: 1000m, memory: 1024Mi, ephemeral-storage: 1.5Gi}, requests: {cpu: 1, memory: 1073741824}}
  ports: [{containerPort: 53, protocol: UDP, name: u}, {containerPort: 53, protocol: TCP, name: t}, {containerPort: 80, hostPort: 0}]
  livenessProbe: {httpGet: {path: /, port: 80, scheme: ""}, initialDelaySeconds: 0}
  readinessProbe: {tcpSocket: {port: t}, timeoutSeconds: 3}
  startupProbe: {grpc: {port: 80}, periodSeconds: 0}
  lifecycle: {preStop: {exec: {command: [sleep, "1"]}}}
  volumeMounts: [{name: p, mountPath: /p, readOnly: false, subPath: ""}, {name: e, mountPath: /e}]
  securityContext: {runAsUser: 0, privileged: false, allowPrivilegeEscalation: false, capabilities: {add: [], drop: [ALL]}}
`;

const podSpec = `
  hostNetwork: false
  serviceAccountName: default
  nodeSelector: {}
  imagePullSecrets: []
  securityContext: {}
  affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {
    topologyKey: zone, labelSelector: {matchLabels: {a: b}}}}]}}
  tolerations: [{operator: Exists}, {key: a, value: ""}]
  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {a: b}}}]
  volumes:
    - {name: p, projected: {sources: [{serviceAccountToken: {path: t}}, {downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]}}]}}
    - {name: d, downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]}}
    - {name: e, emptyDir: {sizeLimit: 1024Mi, medium: ""}}
    - {name: s, secret: {secretName: keys, optional: false}}
    - {name: c, configMap: {name: conf, items: [{key: a, path: b}]}}
    - {name: h, hostPath: {path: /x, type: ""}}
    - {name: i, iscsi: {targetPortal: "1.2.3.4:3260", iqn: "iqn.2001-04.com.example:storage", lun: 0}}
    - {name: r, rbd: {monitors: [a], image: x}}
    - {name: g, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}}}}
  initContainers: [{name: init, image: x, env: [{name: EMPTY, value: ""}]}]
  containers:
    -${container.replaceAll("\n", "\n    ")}
`;

function template(extra = ""): string {
  const metadata = "metadata: {creationTimestamp: null, labels: {a: b}, annotations: {}}";
  return `{${metadata}, spec: ${JSON.stringify(parseSpec(podSpec + extra))}}`;
}

function parseSpec(text: string): unknown {
  return parseAllDocuments(text)[0]?.toJS();
}

const workloads = `
{apiVersion: v1, kind: ServiceAccount, metadata: {name: default}}
---
{apiVersion: v1, kind: Pod, metadata: {name: pod}, spec: ${JSON.stringify(parseSpec(podSpec))}}
---
{apiVersion: v1, kind: PodTemplate, metadata: {name: template}, template: ${template()}}
---
{apiVersion: v1, kind: ReplicationController, metadata: {name: rc}, spec: {replicas: 0, selector: {a: b}, template: ${template()}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, creationTimestamp: null}, spec: {
  replicas: 0, minReadySeconds: 0, paused: false, strategy: {type: RollingUpdate}, selector: {matchLabels: {a: b}},
  template: ${template()}}, status: {}}
---
{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: rs}, spec: {selector: {matchLabels: {a: b}}, template: ${template()}}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {
  selector: {matchLabels: {a: b}}, updateStrategy: {type: RollingUpdate}, template: ${template()}}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {serviceName: db, podManagementPolicy: "",
  updateStrategy: {type: ""}, selector: {matchLabels: {a: b}}, template: ${template()},
  volumeClaimTemplates: [{metadata: {name: data, creationTimestamp: null}, spec: {accessModes: [ReadWriteOnce],
  resources: {requests: {storage: 1024Mi}}}, status: {}}]}}
---
{apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: revision}, revision: 1, data: {spec: {empty: "", none: null, list: []}}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {backoffLimit: 0, suspend: false,
  template: ${template("\n  restartPolicy: Never\n")}}}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {name: tick}, spec: {schedule: "*/5 * * * *", concurrencyPolicy: "",
  jobTemplate: {metadata: {creationTimestamp: null}, spec: {template: ${template("\n  restartPolicy: OnFailure\n")}}}}}
`;

function namespacedIn(namespace: string): string {
  return `
{apiVersion: v1, kind: Service, metadata: {name: dns}, spec: {type: "", sessionAffinity: "", externalName: "",
  ports: [{name: u, port: 53, protocol: UDP}, {name: t, port: 53, protocol: TCP, targetPort: web}], selector: {a: b}},
  status: {loadBalancer: {}}}
---
{apiVersion: v1, kind: Service, metadata: {name: outside}, spec: {type: ExternalName, externalName: example.com}}
---
{apiVersion: v1, kind: Service, metadata: {name: headless}, spec: {clusterIP: None, ports: [{port: 80, targetPort: 0}]}}
---
{apiVersion: v1, kind: Endpoints, metadata: {name: dns}, subsets: [
  {addresses: [{ip: 10.0.0.2}, {ip: 10.0.0.1, hostname: ""}], ports: [{port: 80}]},
  {notReadyAddresses: [{ip: 10.0.0.9}], addresses: [], ports: [{port: 8080, name: b}, {port: 8081, name: a}]}]}
---
{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: slice}, addressType: IPv4,
  endpoints: [{addresses: [10.0.0.2], conditions: {}}, {addresses: [10.0.0.1], conditions: {ready: true}}], ports: [{port: 80}, {name: b, port: 81}]}
---
{apiVersion: v1, kind: Secret, metadata: {name: keys}, data: {a: YQ==, e: ""}, stringData: {b: x, c: ""}}
---
{apiVersion: v1, kind: Secret, metadata: {name: typed}, type: "", immutable: false, stringData: {b: "<&>"}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {a: "<&>", empty: ""}, binaryData: {b: AA==}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: bare, labels: {}, annotations: {}, finalizers: []}, data: {}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: account}, automountServiceAccountToken: false, secrets: [], imagePullSecrets: [{name: a}]}
---
{apiVersion: v1, kind: ResourceQuota, metadata: {name: quota}, spec: {hard: {cpu: 1000m, memory: 2048Mi, pods: 100, "count/x.example.com": 1k}}}
---
{apiVersion: v1, kind: LimitRange, metadata: {name: limits}, spec: {limits: [
  {type: Container, max: {cpu: 4000m}, default: {cpu: 1500m}}, {type: Pod, max: {memory: 100Gi}, min: {}},
  {type: PersistentVolumeClaim, max: {storage: 1024Gi}}]}}
---
{apiVersion: v1, kind: LimitRange, metadata: {name: least}, spec: {limits: [
  {type: Container, default: {cpu: 1000m}, defaultRequest: {cpu: 0.1}}]}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: claim}, spec: {accessModes: [ReadWriteOnce], storageClassName: "",
  volumeName: "", resources: {requests: {storage: 1024Mi}}}}
---
{apiVersion: v1, kind: Event, metadata: {name: event}, involvedObject: {kind: Pod, name: pod, namespace: ${namespace}}, reason: "", message: x, type: Normal,
  firstTimestamp: "2026-01-01T00:00:00Z", count: 0}
---
{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: old}, spec: {maxReplicas: 3, minReplicas: 1,
  targetCPUUtilizationPercentage: 80, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: scale}, spec: {
  maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, behavior: {scaleDown: {policies: [
  {type: Percent, value: 10, periodSeconds: 60}]}}, metrics: [{type: Pods,
  pods: {metric: {name: x}, target: {type: AverageValue, averageValue: 1000m}}}]}}
---
{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: net}, spec: {podSelector: {},
  ingress: [{ports: [{port: 80}], from: [{podSelector: {}}]}, {}], egress: [{ports: [{port: 53, protocol: UDP}], to: []}]}}
---
{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: in}, spec: {tls: [], ingressClassName: nginx, rules: [{host: a.example,
  http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: x, port: {number: 80}}}},
  {path: "", pathType: ImplementationSpecific, backend: {service: {name: x, port: {name: web}}}}]}}]}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: budget},
  spec: {minAvailable: 50%, selector: {matchLabels: {a: b}}}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: role}, rules: [
  {apiGroups: [""], resources: [pods], verbs: [get]}, {apiGroups: [apps], resources: [deployments], resourceNames: [], verbs: ["*"]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: bind},
  roleRef: {kind: ClusterRole, name: view, apiGroup: rbac.authorization.k8s.io},
  subjects: [{kind: User, name: u}, {kind: Group, name: g, apiGroup: ""}, {kind: ServiceAccount, name: s}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: short}, roleRef: {kind: ClusterRole, name: view}, subjects: []}
---
{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: lease}, spec: {holderIdentity: a, leaseDurationSeconds: 15,
  renewTime: "2026-01-01T00:00:00.000000Z", acquireTime: "2026-01-01T00:00:00.500000Z"}}
---
{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: newer}, eventTime: "2026-01-01T00:00:00.000000Z", type: Normal, reason: r, action: a,
  reportingController: example.com/c, reportingInstance: i, regarding: {kind: Pod, name: pod, namespace: ${namespace}}, note: ""}
---
{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: capacity}, storageClassName: fast, capacity: 1024Gi, nodeTopology: {}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: claim}, spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: claims}, spec: {spec: {devices: {requests: [{name: gpu,
  exactly: {deviceClassName: gpu.example.com, count: 2}}]}}}}
`;
}

function clusterWide(at: string): string {
  const [first = 0, second = 0] = createHash("sha256").update(at).digest();
  const documents = [
    `{apiVersion: v1, kind: Namespace, metadata: {name: more-${at}, labels: {}}, spec: {finalizers: []}}`,
    `{apiVersion: v1, kind: Node, metadata: {name: node-${at}}, spec: {unschedulable: false, podCIDR: ""}}`,
    `{apiVersion: v1, kind: PersistentVolume, metadata: {name: volume-${at}}, spec: {capacity: {storage: 1024Mi}, accessModes: [ReadWriteOnce],
      storageClassName: "", hostPath: {path: /x, type: ""}}}`,
    `{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast-${at}}, provisioner: x.example.com, mountOptions: [], parameters: {a: ""}}`,
    `{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: csi-${at}}, spec: {attachRequired: false, tokenRequests: [{audience: ""}]}}`,
    `{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: csi-${at}}, spec: {drivers: []}}`,
    `{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: attach-${at}}, spec: {attacher: a, nodeName: n, source: {persistentVolumeName: v}}}`,
    `{apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: class-${at}}, driverName: a.example.com, parameters: {a: b}}`,
    `{apiVersion: networking.k8s.io/v1, kind: IngressClass, metadata: {name: class-${at}}, spec: {controller: example.com/c, parameters: {kind: ConfigMap, name: a}}}`,
    `{apiVersion: networking.k8s.io/v1, kind: IPAddress, metadata: {name: 192.${first}.${second}.9}, spec: {parentRef: {resource: services, name: a, namespace: b}}}`,
    `{apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, metadata: {name: cidr-${at}}, spec: {cidrs: [10.${first}.${second}.0/24]}}`,
    `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: role-${at}}, rules: [{nonResourceURLs: [/x], verbs: [get]}]}`,
    `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: sum-${at}}, rules: [],
      aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: "${at}"}}]}}`,
    `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: bind-${at}},
      roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: ServiceAccount, name: s, namespace: default}]}`,
    `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: class-${at}}, value: 10, globalDefault: false, description: ""}`,
    `{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: class-${at}}, handler: runc, overhead: {podFixed: {cpu: 0.25}},
      scheduling: {nodeSelector: {}, tolerations: [{operator: Exists}]}}`,
    `{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {name: csr-${at}}, spec: {request: ${request},
      signerName: example.com/signer, usages: [client auth, digital signature]}}`,
    `{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: class-${at}}, spec: {selectors: []}}`,
    `{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: slice-${at}}, spec: {driver: gpu.example.com, nodeName: n,
      pool: {name: p, generation: 0, resourceSliceCount: 1}, devices: [{name: a, capacity: {memory: {value: 1024Mi}}}]}}`,
    `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: hooks-${at}},
      webhooks: [{name: a.b.example.com, sideEffects: None, admissionReviewVersions: [v1], failurePolicy: Ignore, namespaceSelector: {},
      clientConfig: {service: {name: x, namespace: default}}, rules: [{apiGroups: [x.example.com], apiVersions: [v1], operations: [CREATE], resources: [foos]}]}]}`,
    `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: hooks-${at}},
      webhooks: [{name: a.b.example.com, sideEffects: None, admissionReviewVersions: [v1], failurePolicy: Ignore, matchPolicy: Exact,
      clientConfig: {url: "https://127.0.0.1/x", caBundle: ""}, rules: [{apiGroups: [x.example.com], apiVersions: [v1], operations: [CREATE], resources: [foos]}]}]}`,
    `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: policy-${at}}, spec: {failurePolicy: Ignore,
      matchConstraints: {resourceRules: [{apiGroups: [x.example.com], apiVersions: [v1], operations: [CREATE], resources: [foos]}]},
      validations: [{expression: "true", message: ""}], variables: [{name: a, expression: "1"}]}}`,
    `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: bind-${at}}, spec: {
      policyName: policy-${at}, validationActions: [Deny], matchResources: {namespaceSelector: {}}}}`,
    `{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, metadata: {name: level-${at}}, spec: {type: Limited, limited: {
      limitResponse: {type: Queue, queuing: {queues: 8}}}}}`,
    `{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: FlowSchema, metadata: {name: flow-${at}}, spec: {priorityLevelConfiguration: {name: level-${at}},
      rules: [{subjects: [{kind: User, user: {name: nobody}}], nonResourceRules: [{nonResourceURLs: [/x], verbs: [get]}]}]}}`,
    `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.far-${at}.example.com}, spec: {group: far-${at}.example.com, version: v1,
      groupPriorityMinimum: 10, versionPriority: 10, insecureSkipTLSVerify: true, service: {name: none, namespace: default}}}`,
  ];
  return documents.join("\n---\n");
}
