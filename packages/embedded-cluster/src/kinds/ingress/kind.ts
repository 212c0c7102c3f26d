import { changesOf, defaultOf } from "../../resources/kind-rules.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, listAt, nodeAt, stringAt, type Tree, treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { loadBalancers } from "../service/cells.ts";
import { checkIngress } from "./validate.ts";

function ingressHosts(ingress: Tree): string {
  const rules = treesAt(ingress, "spec", "rules");
  const hosts = rules.map((rule) => stringAt(rule, "host")).filter((host) => host !== "");
  const shown = hosts.slice(0, 3).join(",");
  if (hosts.length === 0) {
    return "*";
  }
  return hosts.length >= 3 && rules.length > 3 ? `${shown} + ${rules.length - 3} more...` : shown;
}

/** Ingresses. */
export const ingress: Kind = {
  bucket: "ingresses.networking.k8s.io",
  rules: {
    generation: changesOf("spec"),
    admit: (ingress, old, context) => {
      const hasClass =
        nodeAt(ingress, "spec", "ingressClassName") !== undefined ||
        nodeAt(ingress, "metadata", "annotations", "kubernetes.io/ingress.class") !== undefined;
      if (old !== undefined || hasClass) {
        return;
      }
      const mark = "ingressclass.kubernetes.io/is-default-class";
      const found = defaultOf(context, "ingressclasses.networking.k8s.io", mark);
      if (found !== undefined) {
        ensureTree(ingress, "spec")["ingressClassName"] = found;
      }
    },
    check: checkIngress,
  },
  cells: (object, now) => [
    nameOf(object),
    stringAt(object, "spec", "ingressClassName") || "<none>",
    ingressHosts(object),
    loadBalancers(object),
    listAt(object, "spec", "tls").length === 0 ? "80" : "80, 443",
    ageOf(object, now),
  ],
};
