import { duplicate, type FieldError, faults, required } from "../../../field-errors.ts";
import { nodeAt, numberAt, stringAt, type Tree, type TreeNode, treesAt } from "../../../tree.ts";
import {
  below,
  checkEach,
  checkPort,
  checkPortOrName,
  checkRequiredEnum,
  checkText,
} from "../../../validate/checks.ts";
import { dnsLabel, qualifiedKey } from "../../../validate/text-rules.ts";

/** The ports of a service: named where they are many, none twice. */
export function checkServicePorts(spec: Tree): FieldError[] {
  const ports = treesAt(spec, "ports");
  const names = ports.map((port) => stringAt(port, "name"));
  const keys = ports.map((port) => `${stringAt(port, "protocol")}/${numberAt(port, "port") ?? 0}`);
  return [
    ...checkEach("spec.ports", ports, (path, port) => [
      ...checkPortName(below(path, "name"), port, ports, names),
      ...checkPort(below(path, "port"), nodeAt(port, "port")),
      ...checkRequiredEnum(path, port, "core.v1.ServicePort.protocol"),
      ...checkPortOrName(below(path, "targetPort"), nodeAt(port, "targetPort")),
      ...checkAppProtocol(below(path, "appProtocol"), nodeAt(port, "appProtocol")),
    ]),
    ...ports.flatMap((port, index) =>
      keys.indexOf(keys[index] ?? "") < index ? [duplicate(`spec.ports[${index}]`, describe(port))] : [],
    ),
  ];
}

function checkPortName(
  path: string,
  port: Tree,
  ports: readonly Tree[],
  names: readonly string[],
): FieldError[] {
  const name = stringAt(port, "name");
  if (name === "") {
    return ports.length > 1 ? [required(path)] : [];
  }
  return faults(
    checkText(path, name, dnsLabel),
    names.indexOf(name) < ports.indexOf(port) && duplicate(path, name),
  );
}

/** The protocol that is spoken at a port, where it is told. */
export function checkAppProtocol(path: string, protocol: TreeNode | undefined): FieldError[] {
  return typeof protocol === "string" ? checkText(path, protocol, qualifiedKey) : [];
}

/** The API server names a port by what makes it unique, in its own form. */
function describe(port: Tree): Tree {
  return {
    Name: "",
    Protocol: stringAt(port, "protocol"),
    AppProtocol: null,
    Port: numberAt(port, "port") ?? 0,
    TargetPort: 0,
    NodePort: 0,
  };
}
