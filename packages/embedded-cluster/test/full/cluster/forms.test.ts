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
import {
  get,
  inOwnWords,
  patch,
  post,
  put,
  type Request,
  remove,
  withHeaders,
} from "../../support/request.ts";
import { describeSameAnswers } from "./twins.ts";

const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const metadata = { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" };
const metadataList = { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" };
const spec = { template: { spec: { containers: [{ name: "main", image: "a" }], restartPolicy: "Never" } } };

/** An object of each kind whose table has columns of its own: where it goes, and its manifest. */
const shown: Readonly<Record<string, readonly [path: string, manifest: object]>> = {
  configmaps: [configMaps, configMap("a")],
  pods: [pods, pod("web")],
  services: [services, service("web", { type: "NodePort", externalIPs: ["192.0.2.1"] })],
  deployments: [deployments, deployment("web")],
  secrets: ["/api/v1/namespaces/$ns/secrets", object("v1", "Secret", { stringData: { a: "1" } })],
  serviceaccounts: ["/api/v1/namespaces/$ns/serviceaccounts", object("v1", "ServiceAccount", {})],
  claims: [
    "/api/v1/namespaces/$ns/persistentvolumeclaims",
    object("v1", "PersistentVolumeClaim", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
  ],
  quotas: [
    "/api/v1/namespaces/$ns/resourcequotas",
    object("v1", "ResourceQuota", { spec: { hard: { pods: "2" } } }),
  ],
  limits: [
    "/api/v1/namespaces/$ns/limitranges",
    object("v1", "LimitRange", { spec: { limits: [{ type: "Container", default: { cpu: "1" } }] } }),
  ],
  endpoints: [
    "/api/v1/namespaces/$ns/endpoints",
    object("v1", "Endpoints", { subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }] }),
  ],
  "replica sets": ["/apis/apps/v1/namespaces/$ns/replicasets", { ...deployment("web"), kind: "ReplicaSet" }],
  "daemon sets": [
    "/apis/apps/v1/namespaces/$ns/daemonsets",
    { ...deployment("web"), kind: "DaemonSet", metadata: { name: "web", annotations: { a: "b" } } },
  ],
  "stateful sets": [
    "/apis/apps/v1/namespaces/$ns/statefulsets",
    { ...deployment("web", { serviceName: "web" }), kind: "StatefulSet" },
  ],
  jobs: ["/apis/batch/v1/namespaces/$ns/jobs", object("batch/v1", "Job", { spec })],
  "cron jobs": [
    "/apis/batch/v1/namespaces/$ns/cronjobs",
    object("batch/v1", "CronJob", { spec: { schedule: "*/5 * * * *", jobTemplate: { spec } } }),
  ],
  ingresses: [
    "/apis/networking.k8s.io/v1/namespaces/$ns/ingresses",
    object("networking.k8s.io/v1", "Ingress", {
      spec: {
        rules: [{ host: "example.com", http: { paths: [path("/")] } }],
        tls: [{ hosts: ["example.com"] }],
      },
    }),
  ],
  "network policies": [
    "/apis/networking.k8s.io/v1/namespaces/$ns/networkpolicies",
    object("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: { matchLabels: { a: "b" } } } }),
  ],
  "disruption budgets": [
    "/apis/policy/v1/namespaces/$ns/poddisruptionbudgets",
    object("policy/v1", "PodDisruptionBudget", { spec: { minAvailable: "50%", selector: {} } }),
  ],
  autoscalers: [
    "/apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers",
    object("autoscaling/v2", "HorizontalPodAutoscaler", {
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 3 },
    }),
  ],
  roles: [
    "/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/roles",
    object("rbac.authorization.k8s.io/v1", "Role", {
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }),
  ],
  "role bindings": [
    "/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/rolebindings",
    object("rbac.authorization.k8s.io/v1", "RoleBinding", {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: [{ kind: "ServiceAccount", name: "a", namespace: "$ns" }],
    }),
  ],
  leases: [
    "/apis/coordination.k8s.io/v1/namespaces/$ns/leases",
    object("coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: "me", leaseDurationSeconds: 10 } }),
  ],
  events: [
    "/api/v1/namespaces/$ns/events",
    object("v1", "Event", {
      involvedObject: { kind: "Pod", name: "web", namespace: "$ns" },
      reason: "Started",
      message: "it did",
      type: "Normal",
    }),
  ],
};

const namespaces = "/api/v1/namespaces";
const classes = "/apis/storage.k8s.io/v1/storageclasses";
const storageClass = object("storage.k8s.io/v1", "StorageClass", { provisioner: "example.com/disk" });

describeSameAnswers("tables have the columns and cells of the real API server", {
  ...Object.fromEntries(
    Object.entries(shown).map(([kind, [place, manifest]]): [string, readonly Request[]] => [
      `of ${kind}`,
      [post(place, manifest), get(place, table), get(place)],
    ]),
  ),
  "of namespaces": [
    get(`${namespaces}?fieldSelector=metadata.name%3D$ns`, table),
    get(`${namespaces}/$ns`, table),
  ],
  "of storage classes": [
    post(`${classes}?dryRun=All`, storageClass, table),
    post(`${classes}?dryRun=All`, storageClass),
  ],
});

describeSameAnswers("answers have the form that is asked for", {
  "is metadata alone": [
    post(configMaps, configMap("a"), metadata),
    get(`${configMaps}/a`, metadata),
    get(configMaps, metadataList),
    withHeaders(patch("merge", `${configMaps}/a`, { data: { b: "2" } }), metadata),
    put(`${configMaps}/a`, configMap("a"), table),
    get(`${configMaps}/b`, table),
    remove(`${configMaps}/a`),
  ],
  "is a table with the objects, or without": [
    post(configMaps, configMap("a")),
    get(`${configMaps}?includeObject=Object`, table),
    get(`${configMaps}?includeObject=None`, table),
    get(`${configMaps}?includeObject=Nonsense`, table),
    get(`${configMaps}?limit=1`, { accept: `${table.accept},application/json` }),
    get(configMaps, { accept: "application/json;as=Table;v=v1beta1;g=meta.k8s.io" }),
    inOwnWords(get(configMaps, { accept: "application/json;as=Table;v=v2;g=meta.k8s.io" })),
    inOwnWords(get(configMaps, { accept: "application/json;as=Nonsense;v=v1;g=meta.k8s.io" })),
  ],
  "is what the client understands": [
    post(configMaps, configMap("a")),
    inOwnWords(get(`${configMaps}/a`, { accept: "text/html" })),
    get(`${configMaps}/a`, { accept: "text/html, */*" }),
    get(`${configMaps}/a`, { accept: "application/json, */*;q=0.1" }),
    get(`${configMaps}/a?pretty=true`),
  ],
  "reads YAML": [
    post(configMaps, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: 'yes'}\n", {
      "content-type": "application/yaml",
    }),
    inOwnWords(post(configMaps, "a: [", { "content-type": "application/yaml" })),
    post(configMaps, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, name: b}\n", {
      "content-type": "application/yaml",
    }),
    inOwnWords(
      post(`${configMaps}?fieldValidation=Strict`, "data: {a: a, a: b}\ndate: 1\n", {
        "content-type": "application/yaml",
      }),
    ),
    post(configMaps, '{"data":{"a":"1","a":"2"},"metadata":{"name":"d","name":"d"},"dat":1}'),
    post(
      `${configMaps}?fieldValidation=Strict`,
      '{"data":{"a":"1","a":"2"},"metadata":{"name":"d","name":"d"},"dat":1}',
    ),
    post(
      `${configMaps}?fieldValidation=Ignore`,
      '{"data":{"a":"1","a":"2"},"metadata":{"name":"d","name":"e"},"dat":1}',
    ),
    patch("json", `${configMaps}/d`, '[{"op":"add","op":"add","path":"/data/b","value":"2"}]'),
    patch("json", `${configMaps}/d`, '[{"op":"add","path":"/date","value":"2"}]'),
    patch("merge", `${configMaps}/d?fieldValidation=Strict`, '{"data":{"b":"1","b":"2"},"dat":1}'),
    patch("strategic", `${configMaps}/d`, '{"data":{"b":"1","b":"2"},"dat":1}'),
    post(`${configMaps}?fieldValidation=Nonsense`, "{}"),
    post(configMaps, "null"),
    post(configMaps, "[]"),
    post(configMaps, ""),
    post(configMaps, "{"),
    post(configMaps, "{}", { "content-type": "text/plain" }),
    post(configMaps, "", { "content-type": "application/yaml" }),
  ],
});

function object(apiVersion: string, kind: string, body: object): object {
  return { apiVersion, kind, metadata: { name: "a" }, ...body };
}

function path(at: string): object {
  return { path: at, pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } };
}
