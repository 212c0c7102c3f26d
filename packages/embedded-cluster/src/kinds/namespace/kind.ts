import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { copyField, ensureTree, setDefault, stringAt, stringsAt, type Tree } from "../../tree.ts";
import { dnsLabel, qualifiedKey } from "../../validate/text-rules.ts";
import type { Kind } from "../kind.ts";

const finalizer = "kubernetes";

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
  rules: {
    nameRule: dnsLabel,
    returnsDeleted: true,
    prepareCreate: (namespace) => {
      const spec = ensureTree(namespace, "spec");
      const finalizers = stringsAt(spec, "finalizers");
      spec["finalizers"] = finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
      namespace["status"] = { phase: "Active" };
    },
    prepareUpdate: (namespace, old) => {
      copyField(ensureTree(old, "spec"), ensureTree(namespace, "spec"), "finalizers");
    },
    check: (namespace) => {
      const finalizers = namespace.at("spec.finalizers");
      return finalizers.each((name) => name.shownAs(finalizers.path).follows(qualifiedKey));
    },
    lingers: (namespace) => stringsAt(namespace, "spec", "finalizers").length > 0,
    markDeleted: (namespace) => {
      ensureTree(namespace, "status")["phase"] = "Terminating";
    },
    selectableFields: (namespace) => ({ "status.phase": stringAt(namespace, "status", "phase") }),
  },
  defaults: {
    "io.k8s.api.core.v1.Namespace": defaultNamespace,
    "io.k8s.api.core.v1.NamespaceStatus": (status) => setDefault(status, "phase", "Active"),
  },
  cells: (object, now) => [nameOf(object), stringAt(object, "status", "phase"), ageOf(object, now)],
};
