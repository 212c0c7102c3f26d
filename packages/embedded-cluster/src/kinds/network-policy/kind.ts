import { changesOf } from "../../resources/kind-rules.ts";
import { ageOf, nameOf, printSelector } from "../../tables/cell-text.ts";
import { ensureTree, listAt, nodeAt, setDefault, type Tree } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { checkNetworkPolicy } from "./validate.ts";

function defaultPolicy(policy: Tree): void {
  const spec = ensureTree(policy, "spec");
  if (listAt(spec, "policyTypes").length === 0) {
    spec["policyTypes"] = listAt(spec, "egress").length === 0 ? ["Ingress"] : ["Ingress", "Egress"];
  }
}

/** NetworkPolicies. */
export const networkPolicy: Kind = {
  bucket: "networkpolicies.networking.k8s.io",
  rules: { generation: changesOf("spec"), check: checkNetworkPolicy },
  defaults: {
    "io.k8s.api.networking.v1.NetworkPolicy": defaultPolicy,
    "io.k8s.api.networking.v1.NetworkPolicyPort": (port) => setDefault(port, "protocol", "TCP"),
  },
  cells: (object, now) => [
    nameOf(object),
    printSelector(nodeAt(object, "spec", "podSelector")) || "<none>",
    ageOf(object, now),
  ],
};
