import type { KindRules } from "../../resources/kind-rules.ts";
import { copyField, ensureTree, stringAt, stringsAt } from "../../tree.ts";
import { dnsLabel, qualifiedKey } from "../../validate/text-rules.ts";

const finalizer = "kubernetes";

/** The rules of Namespaces: they end when their content is gone and nobody is left in spec.finalizers. */
export const namespaceRules: KindRules = {
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
};
