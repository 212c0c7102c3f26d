import { ageOf, firstOf, nameOf } from "../../tables/cell-text.ts";
import { numberAt, setDefault, stringAt, stringsAt, type Tree, treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { endpointSliceRules } from "./rules.ts";

function slicePort(port: Tree): string {
  const number = numberAt(port, "port");
  return number === undefined ? stringAt(port, "name") || "*" : String(number);
}

/** EndpointSlices. */
export const endpointSlice: Kind = {
  bucket: "endpointslices.discovery.k8s.io",
  rules: endpointSliceRules,
  defaults: {
    "io.k8s.api.discovery.v1.EndpointPort": (port) => {
      // An empty name is a name of its own here, so it is written out.
      port["name"] ??= "";
      setDefault(port, "protocol", "TCP");
    },
  },
  cells: (object, now) => [
    nameOf(object),
    stringAt(object, "addressType"),
    firstOf(treesAt(object, "ports").map(slicePort), 3) || "<unset>",
    firstOf(
      treesAt(object, "endpoints").flatMap((endpoint) => stringsAt(endpoint, "addresses")),
      3,
    ) || "<unset>",
    ageOf(object, now),
  ],
};
