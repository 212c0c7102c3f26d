import { type FieldError, invalid } from "../../field-errors.ts";
import { numberAt, type Tree, treesAt } from "../../tree.ts";
import { type AddressPool, nodePorts } from "./service-addresses.ts";
import { needsNodePorts, nodePortsOf } from "./service-facts.ts";

/**
 * Gives the ports of a service their node ports: those that it asks for, where they are free, else any. Ports of
 * the same number, e.g. DNS over UDP and TCP, share theirs.
 */
export function allocateNodePorts(spec: Tree, old: Tree | undefined, pool: AddressPool): FieldError[] {
  const ports = treesAt(spec, "ports");
  const own = old === undefined ? [] : nodePortsOf(old);
  const errors = ports.flatMap((port, index) => {
    const asked = numberAt(port, "nodePort") ?? 0;
    const fault = asked === 0 || own.includes(asked) ? undefined : portFault(asked, pool);
    return fault === undefined ? [] : [invalid(`spec.ports[${index}].nodePort`, asked, fault)];
  });
  if (errors.length === 0 && needsNodePorts(spec)) {
    fillPorts(ports, own, old === undefined, pool);
  }
  // As the API server: the first that cannot be had ends the request.
  return errors.slice(0, 1);
}

function fillPorts(ports: readonly Tree[], own: readonly number[], isNew: boolean, pool: AddressPool): void {
  const byPort = new Map<number, number>();
  const remember = (port: Tree): void => {
    const given = numberAt(port, "nodePort") ?? 0;
    if (isNew && given !== 0) {
      byPort.set(numberAt(port, "port") ?? 0, given);
    }
  };
  ports.forEach(remember);
  const used = new Set([...own, ...ports.map((port) => numberAt(port, "nodePort") ?? 0)]);
  for (const port of ports) {
    if (!numberAt(port, "nodePort")) {
      port["nodePort"] = byPort.get(numberAt(port, "port") ?? 0) ?? pool.freePort(used) ?? 0;
      used.add(numberAt(port, "nodePort") ?? 0);
      remember(port);
    }
  }
}

function portFault(port: number, pool: AddressPool): string | undefined {
  if (port < nodePorts.first || port > nodePorts.last) {
    return `provided port is not in the valid range. The range of valid ports is ${nodePorts.first}-${nodePorts.last}`;
  }
  return pool.isPortTaken(port) ? "provided port is already allocated" : undefined;
}
