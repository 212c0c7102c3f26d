/** Whether the one node takes a pod. */

import { parseQuantity } from "@weir/kube";
import { stringAt, stringMapAt, type Tree, treeAt, treesAt } from "../../tree.ts";

/** Reads another object: a claim that a pod mounts. */
export type ReadClaim = (name: string) => Tree | undefined;

/** Why a pod cannot run, in the scheduler's words; undefined where it can. */
export function whyUnschedulable(pod: Tree, node: Tree, readClaim: ReadClaim): string | undefined {
  const spec = treeAt(pod, "spec") ?? {};
  const missing = claimsOf(pod).find((name) => readClaim(name) === undefined);
  if (missing !== undefined) {
    return `0/1 nodes are available: persistentvolumeclaim ${JSON.stringify(missing)} not found.`;
  }
  const unbound = claimsOf(pod).some((name) => stringAt(readClaim(name), "status", "phase") !== "Bound");
  const why = unbound
    ? "pod has unbound immediate PersistentVolumeClaims"
    : (selectorFault(spec, node) ?? resourceFault(spec, node));
  return why === undefined ? undefined : `0/1 nodes are available: ${why}.`;
}

/** The names of the claims that a pod mounts. */
export function claimsOf(pod: Tree): readonly string[] {
  return treesAt(pod, "spec", "volumes").flatMap((volume) => {
    const name = stringAt(volume, "persistentVolumeClaim", "claimName");
    return name === "" ? [] : [name];
  });
}

function selectorFault(spec: Tree, node: Tree): string | undefined {
  const labels = stringMapAt(node, "metadata", "labels");
  const isSelected = [...stringMapAt(spec, "nodeSelector")].every(
    ([key, value]) => labels.get(key) === value,
  );
  return isSelected ? undefined : "1 node(s) didn't match Pod's node affinity/selector";
}

/** A pod that asks for more than the whole node has would not even run alone. */
function resourceFault(spec: Tree, node: Tree): string | undefined {
  const has = stringMapAt(node, "status", "allocatable");
  const short = [...requestsOf(spec)].filter(
    ([name, amount]) => amount > (parseQuantity(has.get(name) ?? "0") ?? 0n),
  );
  return short.length === 0 ? undefined : short.map(([name]) => `1 Insufficient ${name}`).join(", ");
}

function requestsOf(spec: Tree): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>();
  for (const container of treesAt(spec, "containers")) {
    for (const [name, amount] of stringMapAt(container, "resources", "requests")) {
      total.set(name, (total.get(name) ?? 0n) + (parseQuantity(amount) ?? 0n));
    }
  }
  return total;
}
