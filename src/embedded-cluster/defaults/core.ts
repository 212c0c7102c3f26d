import type { Defaulter } from "../schema/apply-defaults.ts";
import { ensureTree, nodeAt, setDefault, stringAt, type Tree, treeAt, treesAt } from "../tree.ts";

/** The defaults of the core group but for pods, as `k8s.io/kubernetes/pkg/apis/core/v1` sets them. */
export const coreDefaulters: Readonly<Record<string, Defaulter>> = {
  "io.k8s.api.core.v1.Service": defaultService,
  "io.k8s.api.core.v1.Secret": defaultSecret,
  "io.k8s.api.core.v1.Namespace": defaultNamespace,
  "io.k8s.api.core.v1.NamespaceStatus": (status) => setDefault(status, "phase", "Active"),
  "io.k8s.api.core.v1.NodeStatus": defaultNodeStatus,
  "io.k8s.api.core.v1.PersistentVolume": defaultVolume,
  "io.k8s.api.core.v1.PersistentVolumeClaim": (claim) =>
    setDefault(ensureTree(claim, "status"), "phase", "Pending"),
  "io.k8s.api.core.v1.PersistentVolumeClaimSpec": (spec) => setDefault(spec, "volumeMode", "Filesystem"),
  "io.k8s.api.core.v1.EndpointPort": (port) => setDefault(port, "protocol", "TCP"),
  "io.k8s.api.core.v1.LimitRangeItem": defaultLimits,
};

function defaultService(service: Tree): void {
  const spec = ensureTree(service, "spec");
  setDefault(spec, "sessionAffinity", "None");
  defaultAffinity(spec);
  setDefault(spec, "type", "ClusterIP");
  for (const port of treesAt(spec, "ports")) {
    setDefault(port, "protocol", "TCP");
    const target = port["targetPort"];
    if (target === 0 || target === "" || target === undefined) {
      port["targetPort"] = port["port"] ?? 0;
    }
  }
  defaultTraffic(spec);
}

function defaultAffinity(spec: Tree): void {
  if (spec["sessionAffinity"] === "None") {
    Reflect.deleteProperty(spec, "sessionAffinityConfig");
  } else if (nodeAt(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds") === undefined) {
    spec["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: 10_800 } };
  }
}

function defaultTraffic(spec: Tree): void {
  const type = stringAt(spec, "type");
  const isExternal = type === "NodePort" || type === "LoadBalancer";
  if (isExternal || (type === "ClusterIP" && nodeAt(spec, "externalIPs") !== undefined)) {
    setDefault(spec, "externalTrafficPolicy", "Cluster");
  }
  if (isExternal || type === "ClusterIP") {
    setDefault(spec, "internalTrafficPolicy", "Cluster");
  }
  if (type === "LoadBalancer") {
    setDefault(spec, "allocateLoadBalancerNodePorts", true);
  }
}

/** stringData is write-only: it goes into data, encoded, over what is there. */
function defaultSecret(secret: Tree): void {
  setDefault(secret, "type", "Opaque");
  const texts = treeAt(secret, "stringData");
  if (texts !== undefined) {
    const data = ensureTree(secret, "data");
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text === "string") {
        data[key] = Buffer.from(text).toString("base64");
      }
    }
    Reflect.deleteProperty(secret, "stringData");
  }
}

function defaultNamespace(namespace: Tree): void {
  const metadata = ensureTree(namespace, "metadata");
  const name = stringAt(metadata, "name");
  if (name !== "") {
    ensureTree(metadata, "labels")["kubernetes.io/metadata.name"] = name;
  }
}

function defaultNodeStatus(status: Tree): void {
  const capacity = treeAt(status, "capacity");
  if (capacity !== undefined) {
    setDefault(status, "allocatable", { ...capacity });
  }
}

function defaultVolume(volume: Tree): void {
  const spec = ensureTree(volume, "spec");
  setDefault(ensureTree(volume, "status"), "phase", "Pending");
  setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
  setDefault(spec, "volumeMode", "Filesystem");
}

function defaultLimits(item: Tree): void {
  if (item["type"] === "Container") {
    copyMissing(item, "max", "default");
    copyMissing(item, "default", "defaultRequest");
    copyMissing(item, "min", "defaultRequest");
  }
}

function copyMissing(item: Tree, from: string, to: string): void {
  for (const [name, amount] of Object.entries(treeAt(item, from) ?? {})) {
    setDefault(ensureTree(item, to), name, amount ?? "0");
  }
}
