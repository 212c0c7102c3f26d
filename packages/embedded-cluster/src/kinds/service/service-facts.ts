/** What the type of a service means for its fields. */
import { equalNodes, nodeAt, numberAt, stringAt, stringsAt, type Tree, treesAt } from "../../tree.ts";

/** All but external names have an address in the cluster. */
export function needsAddress(spec: Tree): boolean {
  return stringAt(spec, "type") !== "ExternalName";
}

/** A service that has no address of its own: its name leads to the pods. */
export function isHeadless(spec: Tree): boolean {
  return stringsAt(spec, "clusterIPs")[0] === "None" || stringAt(spec, "clusterIP") === "None";
}

/** True where nodes open ports for the service. */
export function usesNodePorts(spec: Tree): boolean {
  return ["NodePort", "LoadBalancer"].includes(stringAt(spec, "type"));
}

/** True where ports of nodes are given out unasked: a load balancer may do without. */
export function needsNodePorts(spec: Tree): boolean {
  return usesNodePorts(spec) && !(isBalancer(spec) && spec["allocateLoadBalancerNodePorts"] === false);
}

/** True for services of type LoadBalancer. */
export function isBalancer(spec: Tree): boolean {
  return stringAt(spec, "type") === "LoadBalancer";
}

/** True where nodes tell the load balancer whether they have a pod of the service. */
export function needsHealthCheck(spec: Tree): boolean {
  return isBalancer(spec) && stringAt(spec, "externalTrafficPolicy") === "Local";
}

/** True where traffic from outside of the cluster arrives at the service. */
export function isExternal(spec: Tree): boolean {
  const type = stringAt(spec, "type");
  return usesNodePorts(spec) || (type === "ClusterIP" && stringsAt(spec, "externalIPs").length > 0);
}

/** The node ports of a service, 0 left out. */
export function nodePortsOf(spec: Tree): readonly number[] {
  return treesAt(spec, "ports").flatMap((port) => numberAt(port, "nodePort") || []);
}

/** True where both services say the same of a field. */
export function sameValue(a: Tree, b: Tree, field: string): boolean {
  return equalNodes(nodeAt(a, field) ?? "", nodeAt(b, field) ?? "");
}
