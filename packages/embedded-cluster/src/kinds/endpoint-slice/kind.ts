import { type FieldError, faults, tooMany } from "../../field-errors.ts";
import { changesOf } from "../../resources/kind-rules.ts";
import { ageOf, firstOf, nameOf } from "../../tables/cell-text.ts";
import { numberAt, setDefault, stringAt, stringsAt, type Tree, treesAt } from "../../tree.ts";
import { checkEndpointIp, checkIp, familyOf } from "../../validate/addresses.ts";
import { repeats } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { dnsLabel, dnsSubdomain } from "../../validate/text-rules.ts";
import type { Kind } from "../kind.ts";
import { checkAppProtocol } from "../service/validate/service-ports.ts";

function checkPorts(ports: Field): FieldError[] {
  const isTwice = repeats();
  return ports.each((port) => {
    const name = port.at("name");
    return faults(
      name.check(dnsLabel),
      // Only one port may have no name.
      isTwice(`name ${name.text}`) && name.duplicate(name.text),
      port.at("protocol").check(),
      checkAppProtocol(port.at("appProtocol")),
    );
  });
}

const mostAddresses = 100;

function checkEndpoint(endpoint: Field, type: string): FieldError[] {
  const addresses = endpoint.at("addresses");
  const count = addresses.items.length;
  return faults(
    count === 0 && addresses.required("must contain at least 1 address"),
    count > mostAddresses && tooMany(addresses.path, count, mostAddresses),
    addresses.each((address) => checkTyped(address, type, addresses.path)),
    endpoint.at("nodeName").check(dnsSubdomain),
    endpoint.at("hostname").check(dnsLabel),
  );
}

function checkTyped(address: Field, type: string, list: string): FieldError[] {
  if (type === "FQDN") {
    return address.follows(dnsSubdomain);
  }
  if (type !== "IPv4" && type !== "IPv6") {
    return [];
  }
  const errors = checkIp(address);
  const isOfType = familyOf(address.text) === type;
  return errors.length > 0
    ? errors
    : faults(
        isOfType || address.shownAs(list).invalid(`must be an ${type} address`),
        checkEndpointIp(address),
      );
}

function slicePort(port: Tree): string {
  const number = numberAt(port, "port");
  return number === undefined ? stringAt(port, "name") || "*" : String(number);
}

/** EndpointSlices. */
export const endpointSlice: Kind = {
  bucket: "endpointslices.discovery.k8s.io",
  rules: {
    generation: changesOf("addressType", "endpoints", "ports"),
    check: (slice) => [
      ...slice.at("addressType").needs(),
      ...checkPorts(slice.at("ports")),
      ...slice.at("endpoints").each((endpoint) => checkEndpoint(endpoint, slice.at("addressType").text)),
    ],
    checkUpdate: (slice, old) => slice.at("addressType").unchanged(old.at("addressType")),
  },
  defaults: {
    "io.k8s.api.discovery.v1.EndpointPort": (port) => {
      // An empty name is a name of its own here, so it is written out.
      port["name"] ??= "";
      setDefault(port, "protocol", "TCP");
    },
  },
  cells: (object, now) => [
    nameOf(object),
    stringAt(object, "addressType"),
    firstOf(treesAt(object, "ports").map(slicePort), 3) || "<unset>",
    firstOf(
      treesAt(object, "endpoints").flatMap((endpoint) => stringsAt(endpoint, "addresses")),
      3,
    ) || "<unset>",
    ageOf(object, now),
  ],
};
