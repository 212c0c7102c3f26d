import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, setDefault, stringAt, type Tree } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { namespaceRules } from "./rules.ts";

function defaultNamespace(namespace: Tree): void {
  const metadata = ensureTree(namespace, "metadata");
  const name = stringAt(metadata, "name");
  if (name !== "") {
    ensureTree(metadata, "labels")["kubernetes.io/metadata.name"] = name;
  }
}

/** Namespaces. */
export const namespace: Kind = {
  bucket: "namespaces",
  rules: namespaceRules,
  defaults: {
    "io.k8s.api.core.v1.Namespace": defaultNamespace,
    "io.k8s.api.core.v1.NamespaceStatus": (status) => setDefault(status, "phase", "Active"),
  },
  cells: (object, now) => [nameOf(object), stringAt(object, "status", "phase"), ageOf(object, now)],
};
