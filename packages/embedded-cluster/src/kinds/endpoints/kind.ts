import { ageOf, type Cells, firstOf, nameOf } from "../../tables/cell-text.ts";
import { numberAt, setDefault, stringAt, type Tree, treesAt } from "../../tree.ts";
import type { Defaults, Kind } from "../kind.ts";
import { endpointsRules } from "./rules.ts";

/** The defaults of Endpoints. */
const endpointsDefaults: Defaults = {
  "io.k8s.api.core.v1.EndpointPort": (port) => setDefault(port, "protocol", "TCP"),
};

/** The cells of Endpoints. */
const endpointsCells: Cells = (object, now) => [nameOf(object), addressesOf(object), ageOf(object, now)];

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
  defaults: endpointsDefaults,
  cells: endpointsCells,
};
