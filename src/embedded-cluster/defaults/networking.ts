import type { Defaulter } from "../schema/apply-defaults.ts";
import { ensureTree, listAt, setDefault, type Tree, treeAt } from "../tree.ts";

/** The defaults of the groups networking and discovery. */
export const networkingDefaulters: Readonly<Record<string, Defaulter>> = {
  "io.k8s.api.networking.v1.NetworkPolicy": defaultPolicy,
  "io.k8s.api.networking.v1.NetworkPolicyPort": (port) => setDefault(port, "protocol", "TCP"),
  "io.k8s.api.networking.v1.IngressClass": (ingressClass) => {
    const parameters = treeAt(ingressClass, "spec", "parameters");
    if (parameters !== undefined) {
      setDefault(parameters, "scope", "Cluster");
    }
  },
  "io.k8s.api.discovery.v1.EndpointPort": (port) => {
    // An empty name is a name of its own here, so it is written out.
    port["name"] ??= "";
    setDefault(port, "protocol", "TCP");
  },
};

function defaultPolicy(policy: Tree): void {
  const spec = ensureTree(policy, "spec");
  if (listAt(spec, "policyTypes").length === 0) {
    spec["policyTypes"] = listAt(spec, "egress").length === 0 ? ["Ingress"] : ["Ingress", "Egress"];
  }
}
