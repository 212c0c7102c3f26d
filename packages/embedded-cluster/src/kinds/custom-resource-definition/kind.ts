import { ensureTree, setDefault, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { definitionRules } from "./rules.ts";

function defaultDefinition(definition: Tree): void {
  const spec = ensureTree(definition, "spec");
  const names = ensureTree(spec, "names");
  const kind = stringAt(names, "kind");
  if (kind !== "") {
    setDefault(names, "singular", kind.toLowerCase());
    setDefault(names, "listKind", `${kind}List`);
  }
  if (treeAt(spec, "conversion") === undefined) {
    spec["conversion"] = { strategy: "None" };
  }
  const status = ensureTree(definition, "status");
  const stored = treesAt(spec, "versions").find((version) => version["storage"] === true);
  if (stringsAt(status, "storedVersions").length === 0 && stored !== undefined) {
    status["storedVersions"] = [stringAt(stored, "name")];
  }
}

/** CustomResourceDefinitions. */
export const customResourceDefinition: Kind = {
  bucket: "customresourcedefinitions.apiextensions.k8s.io",
  rules: definitionRules,
  defaults: {
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": defaultDefinition,
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference": (service) =>
      setDefault(service, "port", 443),
  },
};
