import { parseQuantity } from "@weir/kube";
import { stringMapAt, type Tree, treesAt } from "../../tree.ts";

const counted = ["cpu", "memory"];

/** How well a pod is treated when its node runs short: what its containers ask for decides, as in Kubernetes. */
export function qualityOfService(spec: Tree): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = [...treesAt(spec, "containers"), ...treesAt(spec, "initContainers")];
  const requests = containers.map((container) => amounts(container, "requests"));
  const limits = containers.map((container) => amounts(container, "limits"));
  if ([...requests, ...limits].every((map) => map.size === 0)) {
    return "BestEffort";
  }
  const isGuaranteed = containers.every((_, index) => {
    const [limit, request] = [limits[index], requests[index]];
    return counted.every((name) => limit?.has(name) === true && limit.get(name) === request?.get(name));
  });
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

function amounts(container: Tree, kind: "requests" | "limits"): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const [name, text] of stringMapAt(container, "resources", kind)) {
    const amount = parseQuantity(text) ?? 0n;
    if (counted.includes(name) && amount !== 0n) {
      found.set(name, amount);
    }
  }
  return found;
}
