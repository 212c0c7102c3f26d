/** What is there in a cluster before anybody writes to it, as kube-apiserver makes it at its start. */
import type { Tree } from "../tree.ts";

/** The namespaces that every cluster has. */
export const systemNamespaces = ["default", "kube-system", "kube-public", "kube-node-lease"] as const;

/** The name of the one node. */
export const nodeName = "embedded";

/** The objects, those first that others need. */
export function systemObjects(now: string): readonly Tree[] {
  return [
    ...systemNamespaces.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    apiServer,
    priorityClass(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
    priorityClass(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
    node(now),
    ...administrators(),
  ];
}

function priorityClass(name: string, value: number, description: string): Tree {
  return {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name },
    value,
    description,
  };
}

/** A service without selector: nobody but the API server knows where it is. */
const apiServer: Tree = {
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    namespace: "default",
    name: "kubernetes",
    labels: { component: "apiserver", provider: "kubernetes" },
  },
  spec: {
    clusterIP: "10.0.0.1",
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
  },
};

function administrators(): readonly Tree[] {
  const metadata = {
    name: "cluster-admin",
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
  const group = "rbac.authorization.k8s.io";
  return [
    {
      apiVersion: `${group}/v1`,
      kind: "ClusterRole",
      metadata,
      rules: [
        { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
        { nonResourceURLs: ["*"], verbs: ["*"] },
      ],
    },
    {
      apiVersion: `${group}/v1`,
      kind: "ClusterRoleBinding",
      metadata,
      roleRef: { apiGroup: group, kind: "ClusterRole", name: metadata.name },
      subjects: [{ apiGroup: group, kind: "Group", name: "system:masters" }],
    },
  ];
}

function node(now: string): Tree {
  const labels = {
    "kubernetes.io/hostname": nodeName,
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "node-role.kubernetes.io/control-plane": "",
  };
  const resources = { cpu: "16", memory: "64Gi", "ephemeral-storage": "100Gi", pods: "100000" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: nodeName, labels },
    spec: { podCIDR: "10.244.0.0/16", podCIDRs: ["10.244.0.0/16"] },
    status: {
      capacity: { ...resources },
      allocatable: { ...resources },
      addresses: [
        { type: "InternalIP", address: "192.0.2.1" },
        { type: "Hostname", address: nodeName },
      ],
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "KubeletReady",
          message: "this node is part of the program and runs no containers",
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
    },
  };
}
