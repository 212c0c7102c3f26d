import { ageOf, type Cells, firstOf, nameOf } from "../../tables/cell-text.ts";
import { numberAt, setDefault, stringAt, stringsAt, type Tree, treesAt } from "../../tree.ts";
import type { Defaults, Kind } from "../kind.ts";
import { endpointSliceRules } from "./rules.ts";

/** The cells of EndpointSlices. */
const endpointSliceCells: Cells = (object, now) => [
  nameOf(object),
  stringAt(object, "addressType"),
  firstOf(treesAt(object, "ports").map(slicePort), 3) || "<unset>",
  firstOf(
    treesAt(object, "endpoints").flatMap((endpoint) => stringsAt(endpoint, "addresses")),
    3,
  ) || "<unset>",
  ageOf(object, now),
];

function slicePort(port: Tree): string {
  const number = numberAt(port, "port");
  return number === undefined ? stringAt(port, "name") || "*" : String(number);
}

/** The defaults of EndpointSlices. */
const endpointSliceDefaults: Defaults = {
  "io.k8s.api.discovery.v1.EndpointPort": (port) => {
    // An empty name is a name of its own here, so it is written out.
    port["name"] ??= "";
    setDefault(port, "protocol", "TCP");
  },
};

/** EndpointSlices. */
export const endpointSlice: Kind = {
  bucket: "endpointslices.discovery.k8s.io",
  rules: endpointSliceRules,
  defaults: endpointSliceDefaults,
  cells: endpointSliceCells,
};
