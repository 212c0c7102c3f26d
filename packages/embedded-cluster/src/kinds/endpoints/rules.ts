import { type FieldError, faults, required } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { nodeAt, stringAt, type Tree, treesAt } from "../../tree.ts";
import { checkEndpointIp, checkIp } from "../../validate/addresses.ts";
import { below, checkEach, checkOptionalText, checkPort, checkRequiredEnum } from "../../validate/checks.ts";
import { dnsLabel, dnsSubdomain } from "../../validate/text-rules.ts";
import { checkAppProtocol } from "../service/validate/service-ports.ts";

/** The rules of Endpoints. */
export const endpointsRules: KindRules = {
  createOnUpdate: true,
  check: (endpoints) => checkEach("subsets", treesAt(endpoints, "subsets"), checkSubset),
};

function checkSubset(path: string, subset: Tree): FieldError[] {
  const fields = ["addresses", "notReadyAddresses"];
  const ports = treesAt(subset, "ports");
  const isEmpty = fields.every((field) => treesAt(subset, field).length === 0);
  return faults(
    isEmpty && required(path, "must specify `addresses` or `notReadyAddresses`"),
    fields.flatMap((field) => checkEach(below(path, field), treesAt(subset, field), checkAddress)),
    checkEach(below(path, "ports"), ports, (at, port) =>
      faults(
        stringAt(port, "name") === "" && ports.length > 1 && required(below(at, "name")),
        checkOptionalText(below(at, "name"), stringAt(port, "name"), dnsLabel),
        checkPort(below(at, "port"), nodeAt(port, "port")),
        checkRequiredEnum(at, port, "core.v1.EndpointPort.protocol"),
        checkAppProtocol(below(at, "appProtocol"), nodeAt(port, "appProtocol")),
      ),
    ),
  );
}

function checkAddress(path: string, address: Tree): FieldError[] {
  const ip = stringAt(address, "ip");
  return [
    ...checkIp(below(path, "ip"), ip),
    ...checkOptionalText(below(path, "hostname"), stringAt(address, "hostname"), dnsLabel),
    ...checkOptionalText(below(path, "nodeName"), stringAt(address, "nodeName"), dnsSubdomain),
    ...checkEndpointIp(below(path, "ip"), ip),
  ];
}
