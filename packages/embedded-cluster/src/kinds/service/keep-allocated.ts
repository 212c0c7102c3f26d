/**
 * What an update of a service leaves as it was although it does not say so: what the API server gave out unasked.
 * And the reverse: what goes by itself when the type of the service changes.
 */
import {
  copyField,
  drop,
  equalNodes,
  numberAt,
  stringAt,
  stringsAt,
  type Tree,
  treesAt,
} from "../../tree.ts";
import {
  isBalancer,
  isExternal,
  needsAddress,
  needsHealthCheck,
  needsNodePorts,
  nodePortsOf,
  sameValue,
  usesNodePorts,
} from "./service-facts.ts";

/** Keeps addresses and node ports that the new spec does not name. */
export function keepAllocated(spec: Tree, old: Tree): void {
  if (needsAddress(old) && needsAddress(spec)) {
    if (stringAt(spec, "clusterIP") === "") {
      copyField(old, spec, "clusterIP");
    }
    if (stringsAt(spec, "clusterIPs").length === 0) {
      copyField(old, spec, "clusterIPs");
    }
  }
  if (needsNodePorts(old) && needsNodePorts(spec)) {
    keepNodePorts(spec, old);
  }
  if (needsHealthCheck(old) && needsHealthCheck(spec) && !numberAt(spec, "healthCheckNodePort")) {
    copyField(old, spec, "healthCheckNodePort");
  }
}

/** Ports are known by their names. */
function keepNodePorts(spec: Tree, old: Tree): void {
  const now = nodePortsOf(spec);
  const used = new Set(nodePortsOf(old).filter((port) => now.includes(port)));
  const byName = new Map(
    treesAt(old, "ports").map((port) => [stringAt(port, "name"), numberAt(port, "nodePort")]),
  );
  for (const port of treesAt(spec, "ports")) {
    const before = byName.get(stringAt(port, "name"));
    if (!numberAt(port, "nodePort") && before !== undefined && !used.has(before)) {
      port["nodePort"] = before;
    }
  }
}

/** Keeps the one address and the list of addresses in step; `old` is undefined for a new service. */
export function alignAddresses(spec: Tree, old: Tree | undefined): void {
  const address = stringAt(spec, "clusterIP");
  const addresses = stringsAt(spec, "clusterIPs");
  if (old === undefined) {
    if (address !== "" && addresses.length === 0) {
      spec["clusterIPs"] = [address];
    }
    return;
  }
  const isSameList = equalNodes(addresses, stringsAt(old, "clusterIPs"));
  if (stringAt(old, "clusterIP") === address || !isSameList) {
    return;
  }
  if (address === "") {
    drop(spec, "clusterIPs");
  } else {
    spec["clusterIPs"] = [address];
  }
}

/** Removes what the new type of the service has no use for, where the client left it as it was. */
export function dropUnused(service: Tree, spec: Tree, old: Tree): void {
  if (needsAddress(old) && !needsAddress(spec)) {
    dropAddresses(spec, old);
  }
  const before = nodePortsOf(old);
  if (
    usesNodePorts(old) &&
    !usesNodePorts(spec) &&
    nodePortsOf(spec).every((port) => before.includes(port))
  ) {
    for (const port of treesAt(spec, "ports")) {
      drop(port, "nodePort");
    }
  }
  dropWhere(needsHealthCheck, spec, old, "healthCheckNodePort");
  dropWhere(isBalancer, spec, old, "allocateLoadBalancerNodePorts");
  dropWhere(isBalancer, spec, old, "loadBalancerClass");
  dropWhere(isExternal, spec, old, "externalTrafficPolicy");
  dropWhere(isServed, spec, old, "internalTrafficPolicy");
  if (!isBalancer(spec)) {
    service["status"] = { loadBalancer: {} };
  }
}

/** True for services that the cluster serves, and does not only name. */
function isServed(spec: Tree): boolean {
  return stringAt(spec, "type") !== "ExternalName";
}

function dropAddresses(spec: Tree, old: Tree): void {
  const isSameList = equalNodes(stringsAt(spec, "clusterIPs"), stringsAt(old, "clusterIPs"));
  if (isSameList && sameValue(spec, old, "clusterIP")) {
    drop(spec, "clusterIP");
    drop(spec, "clusterIPs");
  }
  if (equalNodes(spec["ipFamilies"], old["ipFamilies"])) {
    drop(spec, "ipFamilies");
  }
  if (sameValue(spec, old, "ipFamilyPolicy")) {
    drop(spec, "ipFamilyPolicy");
  }
}

function dropWhere(isUsed: (spec: Tree) => boolean, spec: Tree, old: Tree, field: string): void {
  if (isUsed(old) && !isUsed(spec) && sameValue(spec, old, field)) {
    drop(spec, field);
  }
}
