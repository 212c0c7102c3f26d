import { ensureTree, nodeAt, setDefault, stringAt, type Tree, treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { serviceCells } from "./cells.ts";
import { serviceRules } from "./rules.ts";

function defaultService(service: Tree): void {
  const spec = ensureTree(service, "spec");
  setDefault(spec, "sessionAffinity", "None");
  defaultAffinity(spec);
  setDefault(spec, "type", "ClusterIP");
  for (const port of treesAt(spec, "ports")) {
    setDefault(port, "protocol", "TCP");
    const target = port["targetPort"];
    if (target === 0 || target === "" || target === undefined) {
      port["targetPort"] = port["port"] ?? 0;
    }
  }
  defaultTraffic(spec);
}

function defaultAffinity(spec: Tree): void {
  if (spec["sessionAffinity"] === "None") {
    Reflect.deleteProperty(spec, "sessionAffinityConfig");
  } else if (nodeAt(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds") === undefined) {
    spec["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: 10_800 } };
  }
}

function defaultTraffic(spec: Tree): void {
  const type = stringAt(spec, "type");
  const isExternal = type === "NodePort" || type === "LoadBalancer";
  if (isExternal || (type === "ClusterIP" && nodeAt(spec, "externalIPs") !== undefined)) {
    setDefault(spec, "externalTrafficPolicy", "Cluster");
  }
  if (isExternal || type === "ClusterIP") {
    setDefault(spec, "internalTrafficPolicy", "Cluster");
  }
  if (type === "LoadBalancer") {
    setDefault(spec, "allocateLoadBalancerNodePorts", true);
  }
}

/** Services. */
export const service: Kind = {
  bucket: "services",
  rules: serviceRules,
  defaults: {
    "io.k8s.api.core.v1.Service": defaultService,
  },
  cells: serviceCells,
};
