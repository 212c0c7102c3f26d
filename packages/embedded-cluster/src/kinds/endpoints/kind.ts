import { type FieldError, faults } from "../../field-errors.ts";
import { ageOf, firstOf, nameOf } from "../../tables/cell-text.ts";
import { numberAt, setDefault, stringAt, type Tree, treesAt } from "../../tree.ts";
import { checkEndpointIp, checkIp } from "../../validate/addresses.ts";
import { checkPort } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { dnsLabel, dnsSubdomain } from "../../validate/text-rules.ts";
import type { Kind } from "../kind.ts";
import { checkAppProtocol } from "../service/validate/service-ports.ts";

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

function addressesOf(endpoints: Tree): string {
  const list = treesAt(endpoints, "subsets").flatMap((subset) => {
    const ports = treesAt(subset, "ports");
    const ips = treesAt(subset, "addresses").map((address) => stringAt(address, "ip"));
    return ports.length === 0
      ? ips
      : ports.flatMap((port) => ips.map((ip) => `${ip}:${numberAt(port, "port") ?? 0}`));
  });
  return treesAt(endpoints, "subsets").length === 0 ? "<none>" : firstOf(list, 3);
}

/** Endpoints. */
export const endpoints: Kind = {
  bucket: "endpoints",
  rules: {
    createOnUpdate: true,
    check: (endpoints) => endpoints.at("subsets").each(checkSubset),
  },
  defaults: {
    "io.k8s.api.core.v1.EndpointPort": (port) => setDefault(port, "protocol", "TCP"),
  },
  cells: (object, now) => [nameOf(object), addressesOf(object), ageOf(object, now)],
};
