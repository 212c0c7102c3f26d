import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf, printSelector } from "../../tables/cell-text.ts";
import { ensureTree, listAt, nodeAt, setDefault, type Tree } from "../../tree.ts";
import type { Defaults, Kind } from "../kind.ts";
import { checkNetworkPolicy } from "./validate.ts";

/** The cells of NetworkPolicies. */
const networkPolicyCells: Cells = (object, now) => [
  nameOf(object),
  printSelector(nodeAt(object, "spec", "podSelector")) || "<none>",
  ageOf(object, now),
];

/** The defaults of NetworkPolicies. */
const networkPolicyDefaults: Defaults = {
  "io.k8s.api.networking.v1.NetworkPolicy": defaultPolicy,
  "io.k8s.api.networking.v1.NetworkPolicyPort": (port) => setDefault(port, "protocol", "TCP"),
};

function defaultPolicy(policy: Tree): void {
  const spec = ensureTree(policy, "spec");
  if (listAt(spec, "policyTypes").length === 0) {
    spec["policyTypes"] = listAt(spec, "egress").length === 0 ? ["Ingress"] : ["Ingress", "Egress"];
  }
}

/** The rules of NetworkPolicies. */
const networkPolicyRules: KindRules = { generation: changesOf("spec"), check: checkNetworkPolicy };

/** NetworkPolicies. */
export const networkPolicy: Kind = {
  bucket: "networkpolicies.networking.k8s.io",
  rules: networkPolicyRules,
  defaults: networkPolicyDefaults,
  cells: networkPolicyCells,
};
