import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { checkEndpointIp, checkIp } from "../../validate/addresses.ts";
import { checkPort } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { dnsLabel, dnsSubdomain } from "../../validate/text-rules.ts";
import { checkAppProtocol } from "../service/validate/service-ports.ts";

/** The rules of Endpoints. */
export const endpointsRules: KindRules = {
  createOnUpdate: true,
  check: (endpoints) => endpoints.at("subsets").each(checkSubset),
};

const lists = ["addresses", "notReadyAddresses"];

function checkSubset(subset: Field): FieldError[] {
  const ports = subset.at("ports");
  const isEmpty = lists.every((list) => subset.at(list).items.length === 0);
  return faults(
    isEmpty && subset.required("must specify `addresses` or `notReadyAddresses`"),
    subset.all(lists, (list) => list.each(checkAddress)),
    ports.each((port) => [
      ...(ports.items.length > 1 ? port.at("name").needs(dnsLabel) : port.at("name").check(dnsLabel)),
      ...checkPort(port.at("port")),
      ...port.at("protocol").needs(),
      ...checkAppProtocol(port.at("appProtocol")),
    ]),
  );
}

function checkAddress(address: Field): FieldError[] {
  return [
    ...checkIp(address.at("ip")),
    ...address.at("hostname").check(dnsLabel),
    ...address.at("nodeName").check(dnsSubdomain),
    ...checkEndpointIp(address.at("ip")),
  ];
}
