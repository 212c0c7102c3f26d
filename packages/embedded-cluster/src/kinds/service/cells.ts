import { ageOf, type Cells, nameOf, printLabels } from "../../tables/cell-text.ts";
import { numberAt, stringAt, stringsAt, type Tree, treesAt } from "../../tree.ts";

/** The cells of Services. */
export const serviceCells: Cells = (object, now) => [
  nameOf(object),
  stringAt(object, "spec", "type"),
  stringsAt(object, "spec", "clusterIPs")[0] ?? "<none>",
  externalAddress(object),
  servicePorts(object),
  ageOf(object, now),
  printLabels(object, "spec", "selector"),
];

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

/** The addresses at which the outside reaches an object. */
export function loadBalancers(object: Tree): string {
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
