import { type FieldError, faults } from "../../../field-errors.ts";
import type { Tree } from "../../../tree.ts";
import { checkPort, checkPortOrName, repeats } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { dnsLabel, qualifiedKey } from "../../../validate/text-rules.ts";

/** The ports of a service: named where they are many, none twice. */
export function checkServicePorts(ports: Field): FieldError[] {
  const isNameTaken = repeats();
  const isTwice = repeats();
  const areMany = ports.items.length > 1;
  return [
    ...ports.each((port) => {
      const name = port.at("name");
      return faults(
        areMany ? name.needs(dnsLabel) : name.check(dnsLabel),
        isNameTaken(name.text) && name.duplicate(),
        checkPort(port.at("port")),
        port.at("protocol").needs(),
        checkPortOrName(port.at("targetPort")),
        checkAppProtocol(port.at("appProtocol")),
      );
    }),
    ...ports.each(
      (port) =>
        isTwice(`${port.at("protocol").text}/${port.at("port").number}`) && port.duplicate(describe(port)),
    ),
  ];
}

/** The protocol that is spoken at a port, where it is told. */
export function checkAppProtocol(protocol: Field): FieldError[] {
  return protocol.isSet ? protocol.follows(qualifiedKey) : [];
}

/** The API server names a port by what makes it unique, in its own form. */
function describe(port: Field): Tree {
  return {
    Name: "",
    Protocol: port.at("protocol").text,
    AppProtocol: null,
    Port: port.at("port").number,
    TargetPort: 0,
    NodePort: 0,
  };
}
