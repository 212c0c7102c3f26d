import { listAt, nodeAt, numberAt, stringAt, stringsAt, type Tree, treesAt } from "../tree.ts";
import type { Cells } from "./cell-text.ts";
import { ageOf, firstOf, printLabels, printSelector } from "./cell-text.ts";

/** The cells of services, ingresses and what belongs to them. */
export const networkCells: Readonly<Record<string, Cells>> = {
  services: (object, now) => [
    name(object),
    stringAt(object, "spec", "type"),
    stringsAt(object, "spec", "clusterIPs")[0] ?? "<none>",
    externalAddress(object),
    servicePorts(object),
    ageOf(object, now),
    printLabels(object, "spec", "selector"),
  ],
  "ingresses.networking.k8s.io": (object, now) => [
    name(object),
    stringAt(object, "spec", "ingressClassName") || "<none>",
    ingressHosts(object),
    loadBalancers(object),
    listAt(object, "spec", "tls").length === 0 ? "80" : "80, 443",
    ageOf(object, now),
  ],
  "ingressclasses.networking.k8s.io": (object, now) => [
    name(object),
    stringAt(object, "spec", "controller"),
    classParameters(object),
    ageOf(object, now),
  ],
  "networkpolicies.networking.k8s.io": (object, now) => [
    name(object),
    printSelector(nodeAt(object, "spec", "podSelector")) || "<none>",
    ageOf(object, now),
  ],
  "servicecidrs.networking.k8s.io": (object, now) => [
    name(object),
    stringsAt(object, "spec", "cidrs").join(","),
    ageOf(object, now),
  ],
  "ipaddresses.networking.k8s.io": (object) => [name(object), parentOf(object)],
  endpoints: (object, now) => [name(object), addressesOf(object), ageOf(object, now)],
  "endpointslices.discovery.k8s.io": (object, now) => [
    name(object),
    stringAt(object, "addressType"),
    firstOf(treesAt(object, "ports").map(slicePort), 3) || "<unset>",
    firstOf(
      treesAt(object, "endpoints").flatMap((endpoint) => stringsAt(endpoint, "addresses")),
      3,
    ) || "<unset>",
    ageOf(object, now),
  ],
};

function name(object: Tree): string {
  return stringAt(object, "metadata", "name");
}

function externalAddress(service: Tree): string {
  const external = stringsAt(service, "spec", "externalIPs");
  switch (stringAt(service, "spec", "type")) {
    case "LoadBalancer": {
      const addresses = [loadBalancers(service), ...external].filter((address) => address !== "");
      return addresses.length === 0 ? "<pending>" : addresses.join(",");
    }
    case "ExternalName":
      return stringAt(service, "spec", "externalName");
    case "ClusterIP":
    case "NodePort":
      return external.length === 0 ? "<none>" : external.join(",");
    default:
      return "<unknown>";
  }
}

function loadBalancers(object: Tree): string {
  const addresses = treesAt(object, "status", "loadBalancer", "ingress").map(
    (one) => stringAt(one, "ip") || stringAt(one, "hostname"),
  );
  return [...new Set(addresses.filter((address) => address !== ""))].sort().join(",");
}

function servicePorts(service: Tree): string {
  const ports = treesAt(service, "spec", "ports").map((port) => {
    const nodePort = numberAt(port, "nodePort") ?? 0;
    const number = numberAt(port, "port") ?? 0;
    return `${number}${nodePort > 0 ? `:${nodePort}` : ""}/${stringAt(port, "protocol")}`;
  });
  return ports.length === 0 ? "<none>" : ports.join(",");
}

function ingressHosts(ingress: Tree): string {
  const rules = treesAt(ingress, "spec", "rules");
  const hosts = rules.map((rule) => stringAt(rule, "host")).filter((host) => host !== "");
  const shown = hosts.slice(0, 3).join(",");
  if (hosts.length === 0) {
    return "*";
  }
  return hosts.length >= 3 && rules.length > 3 ? `${shown} + ${rules.length - 3} more...` : shown;
}

function classParameters(ingressClass: Tree): string {
  const parameters = nodeAt(ingressClass, "spec", "parameters");
  if (parameters === undefined) {
    return "<none>";
  }
  const group = stringAt(parameters, "apiGroup");
  const kind = stringAt(parameters, "kind");
  return `${group === "" ? kind : `${kind}.${group}`}/${stringAt(parameters, "name")}`;
}

function parentOf(address: Tree): string {
  const parent = nodeAt(address, "spec", "parentRef");
  const group = stringAt(parent, "group");
  const resource = stringAt(parent, "resource");
  const parts = [
    group === "" ? resource : `${resource}.${group}`,
    stringAt(parent, "namespace"),
    stringAt(parent, "name"),
  ];
  return parent === undefined ? "<none>" : parts.filter((part) => part !== "").join("/");
}

function addressesOf(endpoints: Tree): string {
  const list = treesAt(endpoints, "subsets").flatMap((subset) => {
    const ports = treesAt(subset, "ports");
    const ips = treesAt(subset, "addresses").map((address) => stringAt(address, "ip"));
    return ports.length === 0
      ? ips
      : ports.flatMap((port) => ips.map((ip) => `${ip}:${numberAt(port, "port") ?? 0}`));
  });
  return treesAt(endpoints, "subsets").length === 0 ? "<none>" : firstOf(list, 3);
}

function slicePort(port: Tree): string {
  const number = numberAt(port, "port");
  return number === undefined ? stringAt(port, "name") || "*" : String(number);
}
