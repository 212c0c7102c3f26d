import type { JsonObject } from "@weir/base";
import { type Document, dump, type Node, visit } from "js-yaml";

/** An object of a preview as YAML; "" for none. Keys are sorted, because the order from the API server has no meaning. */
export function toYaml(object: JsonObject | null): string {
  return object === null ? "" : dump(object, { noRefs: true, lineWidth: -1, transform: sortMappings });
}

function sortMappings(documents: Document[]): void {
  visit(documents, (node) => {
    if (node.kind === "mapping") {
      node.items.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    }
  });
}

function keyOf({ key }: { readonly key: Node }): string {
  return key.kind === "scalar" ? key.value : "";
}
