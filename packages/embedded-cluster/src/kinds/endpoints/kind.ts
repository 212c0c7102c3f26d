import { ageOf, firstOf, nameOf } from "../../tables/cell-text.ts";
import { numberAt, setDefault, stringAt, type Tree, treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { endpointsRules } from "./rules.ts";

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

/** Endpoints. */
export const endpoints: Kind = {
  bucket: "endpoints",
  rules: endpointsRules,
  defaults: {
    "io.k8s.api.core.v1.EndpointPort": (port) => setDefault(port, "protocol", "TCP"),
  },
  cells: (object, now) => [nameOf(object), addressesOf(object), ageOf(object, now)],
};
