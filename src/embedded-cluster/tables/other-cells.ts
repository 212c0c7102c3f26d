import {
  isTrueAt,
  listAt,
  nodeAt,
  numberAt,
  stringAt,
  stringMapAt,
  stringsAt,
  type Tree,
  type TreeNode,
  treeAt,
  treesAt,
} from "../tree.ts";
import type { Cells } from "./cell-text.ts";
import { ageOf, printAge } from "./cell-text.ts";

/** The cells of configuration, storage, RBAC and cluster-wide kinds. */
export const otherCells: Readonly<Record<string, Cells>> = {
  configmaps: (object, now) => [
    name(object),
    keys(object, "data") + keys(object, "binaryData"),
    ageOf(object, now),
  ],
  secrets: (object, now) => [
    name(object),
    stringAt(object, "type"),
    keys(object, "data"),
    ageOf(object, now),
  ],
  namespaces: (object, now) => [name(object), stringAt(object, "status", "phase"), ageOf(object, now)],
  serviceaccounts: (object, now) => [name(object), listAt(object, "secrets").length, ageOf(object, now)],
  nodes: nodeCells,
  events: eventCells,
  persistentvolumes: (object, now) => [
    name(object),
    stringAt(object, "spec", "capacity", "storage") || "0",
    accessModes(object, "spec"),
    stringAt(object, "spec", "persistentVolumeReclaimPolicy"),
    phaseOf(object),
    claimOf(object),
    stringAt(object, "spec", "storageClassName"),
    stringAt(object, "spec", "volumeAttributesClassName") || "<unset>",
    stringAt(object, "status", "reason"),
    ageOf(object, now),
    stringAt(object, "spec", "volumeMode") || "<unset>",
  ],
  persistentvolumeclaims: (object, now) => {
    const volume = stringAt(object, "spec", "volumeName");
    return [
      name(object),
      phaseOf(object),
      volume,
      volume === "" ? "" : stringAt(object, "status", "capacity", "storage") || "0",
      volume === "" ? "" : accessModes(object, "status"),
      stringAt(object, "spec", "storageClassName"),
      stringAt(object, "spec", "volumeAttributesClassName") || "<unset>",
      ageOf(object, now),
      stringAt(object, "spec", "volumeMode") || "<unset>",
    ];
  },
  resourcequotas: (object, now) => [
    name(object),
    quotaColumn(object, (resource) => !resource.startsWith("limits.")),
    quotaColumn(object, (resource) => resource.startsWith("limits.")),
    ageOf(object, now),
  ],
  "rolebindings.rbac.authorization.k8s.io": bindingCells,
  "clusterrolebindings.rbac.authorization.k8s.io": bindingCells,
  "poddisruptionbudgets.policy": (object, now) => [
    name(object),
    textOf(nodeAt(object, "spec", "minAvailable"), "N/A"),
    textOf(nodeAt(object, "spec", "maxUnavailable"), "N/A"),
    numberAt(object, "status", "disruptionsAllowed") ?? 0,
    ageOf(object, now),
  ],
  "horizontalpodautoscalers.autoscaling": autoscalerCells,
  "priorityclasses.scheduling.k8s.io": (object, now) => [
    name(object),
    numberAt(object, "value") ?? 0,
    isTrueAt(object, "globalDefault"),
    ageOf(object, now),
    stringAt(object, "preemptionPolicy"),
  ],
  "storageclasses.storage.k8s.io": (object, now) => [
    stringAt(object, "metadata", "annotations", "storageclass.kubernetes.io/is-default-class") === "true"
      ? `${name(object)} (default)`
      : name(object),
    stringAt(object, "provisioner"),
    stringAt(object, "reclaimPolicy") || "Delete",
    stringAt(object, "volumeBindingMode") || "Immediate",
    isTrueAt(object, "allowVolumeExpansion"),
    ageOf(object, now),
  ],
  "leases.coordination.k8s.io": (object, now) => [
    name(object),
    stringAt(object, "spec", "holderIdentity"),
    ageOf(object, now),
  ],
  "runtimeclasses.node.k8s.io": (object, now) => [
    name(object),
    stringAt(object, "handler"),
    ageOf(object, now),
  ],
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": webhookCells,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": webhookCells,
  "apiservices.apiregistration.k8s.io": (object, now) => [
    name(object),
    apiServiceTarget(object),
    apiServiceStatus(object),
    ageOf(object, now),
  ],
  "csinodes.storage.k8s.io": (object, now) => [
    name(object),
    listAt(object, "spec", "drivers").length,
    ageOf(object, now),
  ],
};

function name(object: Tree): string {
  return stringAt(object, "metadata", "name");
}

function keys(object: Tree, field: string): number {
  return Object.keys(treeAt(object, field) ?? {}).length;
}

function phaseOf(object: Tree): string {
  const isGoing = stringAt(object, "metadata", "deletionTimestamp") !== "";
  return isGoing ? "Terminating" : stringAt(object, "status", "phase");
}

const modes: ReadonlyMap<string, string> = new Map([
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
]);

function accessModes(object: Tree, part: "spec" | "status"): string {
  const set = new Set(stringsAt(object, part, "accessModes"));
  return [...modes].flatMap(([mode, short]) => (set.has(mode) ? [short] : [])).join(",");
}

function claimOf(volume: Tree): string {
  const claim = treeAt(volume, "spec", "claimRef");
  return claim === undefined ? "" : `${stringAt(claim, "namespace")}/${stringAt(claim, "name")}`;
}

function nodeCells(node: Tree, now: number): TreeNode[] {
  const ready = treesAt(node, "status", "conditions").find((condition) => condition["type"] === "Ready");
  const status = [
    ready === undefined ? "Unknown" : ready["status"] === "True" ? "Ready" : "NotReady",
    ...(isTrueAt(node, "spec", "unschedulable") ? ["SchedulingDisabled"] : []),
  ];
  const info = treeAt(node, "status", "nodeInfo");
  return [
    name(node),
    status.join(","),
    nodeRoles(node),
    ageOf(node, now),
    stringAt(info, "kubeletVersion"),
    nodeAddress(node, "InternalIP"),
    nodeAddress(node, "ExternalIP"),
    stringAt(info, "osImage") || "<unknown>",
    stringAt(info, "kernelVersion") || "<unknown>",
    stringAt(info, "containerRuntimeVersion") || "<unknown>",
  ];
}

function nodeRoles(node: Tree): string {
  const prefix = "node-role.kubernetes.io/";
  const roles = [...stringMapAt(node, "metadata", "labels").keys()]
    .filter((label) => label.startsWith(prefix) && label.length > prefix.length)
    .map((label) => label.slice(prefix.length));
  return roles.length === 0 ? "<none>" : roles.sort().join(",");
}

function nodeAddress(node: Tree, type: string): string {
  const address = treesAt(node, "status", "addresses").find((one) => one["type"] === type);
  return address === undefined ? "<none>" : stringAt(address, "address");
}

function eventCells(event: Tree, now: number): TreeNode[] {
  const first = printAge(nodeAt(event, "firstTimestamp") ?? nodeAt(event, "eventTime"), now);
  const seriesTime = nodeAt(event, "series", "lastObservedTime");
  const lastTime = nodeAt(event, "lastTimestamp");
  const last = lastTime === null || lastTime === undefined ? first : printAge(lastTime, now);
  const kind = stringAt(event, "involvedObject", "kind").toLowerCase();
  const target = stringAt(event, "involvedObject", "name");
  return [
    seriesTime === undefined ? last : printAge(seriesTime, now),
    stringAt(event, "type"),
    stringAt(event, "reason"),
    target === "" ? kind : `${kind}/${target}`,
    stringAt(event, "involvedObject", "fieldPath"),
    eventSource(event),
    stringAt(event, "message").trim(),
    first,
    numberAt(event, "series", "count") ?? (numberAt(event, "count") || 1),
    name(event),
  ];
}

function eventSource(event: Tree): string {
  const component = stringAt(event, "source", "component") || stringAt(event, "reportingComponent");
  const host = stringAt(event, "source", "host") || stringAt(event, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}

function quotaColumn(quota: Tree, isWanted: (resource: string) => boolean): string {
  const used = stringMapAt(quota, "status", "used");
  return [...stringMapAt(quota, "status", "hard")]
    .filter(([resource]) => isWanted(resource))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${used.get(resource) ?? "0"}/${hard}`)
    .join(", ");
}

function bindingCells(binding: Tree, now: number): TreeNode[] {
  const subjects = treesAt(binding, "subjects");
  const named = (kind: string): string =>
    subjects
      .filter((subject) => subject["kind"] === kind)
      .map((subject) =>
        kind === "ServiceAccount"
          ? `${stringAt(subject, "namespace")}/${stringAt(subject, "name")}`
          : stringAt(subject, "name"),
      )
      .join(", ");
  return [
    name(binding),
    `${stringAt(binding, "roleRef", "kind")}/${stringAt(binding, "roleRef", "name")}`,
    ageOf(binding, now),
    named("User"),
    named("Group"),
    named("ServiceAccount"),
  ];
}

function webhookCells(configuration: Tree, now: number): TreeNode[] {
  return [name(configuration), listAt(configuration, "webhooks").length, ageOf(configuration, now)];
}

function autoscalerCells(autoscaler: Tree, now: number): TreeNode[] {
  const target = treeAt(autoscaler, "spec", "scaleTargetRef");
  return [
    name(autoscaler),
    `${stringAt(target, "kind")}/${stringAt(target, "name")}`,
    autoscalerMetrics(autoscaler),
    textOf(nodeAt(autoscaler, "spec", "minReplicas"), "<unset>"),
    numberAt(autoscaler, "spec", "maxReplicas") ?? 0,
    numberAt(autoscaler, "status", "currentReplicas") ?? 0,
    ageOf(autoscaler, now),
  ];
}

function autoscalerMetrics(autoscaler: Tree): string {
  const current = treesAt(autoscaler, "status", "currentMetrics");
  const texts = treesAt(autoscaler, "spec", "metrics").map((spec, index) => metricText(spec, current[index]));
  if (texts.length === 0) {
    return "<none>";
  }
  const shown = texts.slice(0, 2).join(", ");
  return texts.length > 2 ? `${shown} + ${texts.length - 2} more...` : shown;
}

function metricText(spec: Tree, status: Tree | undefined): string {
  const type = stringAt(spec, "type");
  const field = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  const target = treeAt(spec, field, "target");
  const now = treeAt(status, field, "current");
  const prefix = type.endsWith("Resource") ? `${stringAt(spec, field, "name")}: ` : "";
  const average = nodeAt(target, "averageValue");
  if (average !== undefined) {
    const suffix = type === "External" || type === "Object" ? " (avg)" : "";
    return `${prefix}${textOf(nodeAt(now, "averageValue"), "<unknown>")}/${textOf(average, "")}${suffix}`;
  }
  if (type.endsWith("Resource")) {
    const wanted = nodeAt(target, "averageUtilization");
    const used = nodeAt(now, "averageUtilization");
    return `${prefix}${used === undefined ? "<unknown>" : `${textOf(used, "")}%`}/${wanted === undefined ? "<auto>" : `${textOf(wanted, "")}%`}`;
  }
  return `${textOf(nodeAt(now, "value"), "<unknown>")}/${textOf(nodeAt(target, "value"), "")}`;
}

function apiServiceTarget(service: Tree): string {
  const target = treeAt(service, "spec", "service");
  return target === undefined ? "Local" : `${stringAt(target, "namespace")}/${stringAt(target, "name")}`;
}

function apiServiceStatus(service: Tree): string {
  const condition = treesAt(service, "status", "conditions").find((one) => one["type"] === "Available");
  const status = stringAt(condition, "status") || "Unknown";
  const reason = stringAt(condition, "reason");
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}

function textOf(node: TreeNode | undefined, otherwise: string): string {
  return typeof node === "string" || typeof node === "number" ? String(node) : otherwise;
}
