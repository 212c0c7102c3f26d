import type { KubeObject } from "@weir/kube";

/** A kind of the stub server. */
export interface StubKind {
  readonly group: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  /** The path of all objects. */
  readonly path: string;
}

/** The label of managed objects. */
export const stubLabel = "example.test/owner";

/** So many Pods belong to a ReplicaSet, which belongs to a Deployment. */
export const podsPerDeployment = 8;

/** The kinds that the stub server can have. */
export const stubKinds: readonly StubKind[] = [
  stubKind("", "ConfigMap", "configmaps"),
  stubKind("", "Pod", "pods"),
  stubKind("apps", "Deployment", "deployments"),
  stubKind("apps", "ReplicaSet", "replicasets"),
];

function stubKind(group: string, kind: string, plural: string): StubKind {
  const apiVersion = group === "" ? "v1" : `${group}/v1`;
  const path = `${group === "" ? "/api/v1" : `/apis/${group}/v1`}/${plural}`;
  return { group, kind, apiVersion, plural, path };
}

/** The object of a kind with that index, as a server stores it after kubectl applied it. */
export function makeStub({ apiVersion, kind }: StubKind, index: number): KubeObject {
  const metadata = {
    name: `${kind.toLowerCase()}-${index}`,
    namespace: `namespace-${index % 50}`,
    uid: uidOf(kind, index),
    resourceVersion: String(100_000 + index),
    generation: 1,
    creationTimestamp: `2026-11-23T00:${String(Math.floor(index / 60) % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}Z`,
    labels: { app: `app-${index}`, team: `team-${index % 7}`, [stubLabel]: "bench" },
    managedFields: [
      {
        manager: "kubectl-client-side-apply",
        operation: "Update",
        apiVersion,
        fieldsType: "FieldsV1",
        fieldsV1: fields,
      },
    ],
  };
  switch (kind) {
    case "Deployment":
      return { apiVersion, kind, metadata: applied(metadata), spec, status: deploymentStatus };
    case "ReplicaSet":
      return owned(
        {
          apiVersion,
          kind,
          metadata,
          spec,
          status: { replicas: 8, readyReplicas: 8, observedGeneration: 1 },
        },
        "Deployment",
        index,
      );
    case "Pod":
      return owned(
        { apiVersion, kind, metadata, spec: spec.template.spec, status: podStatus },
        "ReplicaSet",
        Math.floor(index / podsPerDeployment),
      );
    default:
      return {
        apiVersion,
        kind,
        metadata: applied(metadata),
        data: { key: `value ${index}`, text: "x".repeat(500) },
      };
  }
}

/** With the annotation of kubectl apply, of 2 kB. */
function applied(metadata: KubeObject["metadata"]): KubeObject["metadata"] {
  const annotations = {
    "kubectl.kubernetes.io/last-applied-configuration": `{"${metadata.name ?? ""}":"${"x".repeat(2_000)}"}`,
  };
  return { ...metadata, annotations };
}

function owned(object: KubeObject, kind: string, index: number): KubeObject {
  const owner = {
    apiVersion: "apps/v1",
    kind,
    name: `${kind.toLowerCase()}-${index}`,
    uid: uidOf(kind, index),
    controller: true,
    blockOwnerDeletion: true,
  };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}

function uidOf(kind: string, index: number): string {
  const tail = String(index).padStart(12, "0");
  return `${Buffer.from(kind.padEnd(4).slice(0, 4)).toString("hex")}-0000-4000-8000-${tail}`;
}

const fields = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`f:field-${at}`, { ".": {}, "f:value": {}, "f:other": {} }]),
);

const spec = {
  replicas: 8,
  selector: { matchLabels: { app: "app" } },
  template: {
    metadata: { labels: { app: "app" } },
    spec: {
      containers: Array.from({ length: 2 }, (_, at) => ({
        name: `container-${at}`,
        image: `registry.example.test/team/app-${at}:1.0.0`,
        ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
        env: [
          { name: "LOG_LEVEL", value: "info" },
          { name: "MODE", value: "production" },
        ],
        resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "128Mi" } },
        terminationMessagePath: "/dev/termination-log",
        imagePullPolicy: "IfNotPresent",
      })),
      restartPolicy: "Always",
      dnsPolicy: "ClusterFirst",
    },
  },
};

const deploymentStatus = {
  observedGeneration: 1,
  replicas: 8,
  updatedReplicas: 8,
  readyReplicas: 8,
  availableReplicas: 8,
};

const podStatus = {
  phase: "Running",
  conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
    type,
    status: "True",
  })),
  containerStatuses: [{ name: "container-0", ready: true, restartCount: 0, state: { running: {} } }],
};
