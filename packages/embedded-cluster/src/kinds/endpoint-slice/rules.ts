import { duplicate, type FieldError, faults, invalid, required, tooMany } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { nodeAt, own, stringAt, stringsAt, type Tree, treesAt } from "../../tree.ts";
import { checkEndpointIp, checkIp, familyOf } from "../../validate/addresses.ts";
import {
  below,
  checkEach,
  checkEnum,
  checkOptionalText,
  checkRequiredEnum,
  checkText,
  checkUnchanged,
} from "../../validate/checks.ts";
import { dnsLabel, dnsSubdomain } from "../../validate/text-rules.ts";
import { checkAppProtocol } from "../service/validate/service-ports.ts";

/** The rules of EndpointSlices. */
export const endpointSliceRules: KindRules = {
  generation: changesOf("addressType", "endpoints", "ports"),
  check: (slice) => [
    ...checkRequiredEnum("", slice, "discovery.v1.EndpointSlice.addressType"),
    ...checkPorts(treesAt(slice, "ports")),
    ...checkEach("endpoints", treesAt(slice, "endpoints"), (path, endpoint) =>
      checkEndpoint(path, endpoint, stringAt(slice, "addressType")),
    ),
  ],
  checkUpdate: (slice, old) =>
    checkUnchanged("addressType", own(slice, "addressType"), own(old, "addressType")),
};

function checkPorts(ports: readonly Tree[]): FieldError[] {
  const names = ports.map((port) => stringAt(port, "name"));
  return checkEach("ports", [...ports], (path, port) => {
    const name = stringAt(port, "name");
    const isTwice = names.indexOf(name) < ports.indexOf(port);
    return faults(
      checkOptionalText(below(path, "name"), name, dnsLabel),
      isTwice && duplicate(below(path, "name"), name),
      checkEnum(path, port, "discovery.v1.EndpointPort.protocol"),
      checkAppProtocol(below(path, "appProtocol"), nodeAt(port, "appProtocol")),
    );
  });
}

const mostAddresses = 100;

function checkEndpoint(path: string, endpoint: Tree, type: string): FieldError[] {
  const addresses = stringsAt(endpoint, "addresses");
  const at = below(path, "addresses");
  return faults(
    addresses.length === 0 && required(at, "must contain at least 1 address"),
    addresses.length > mostAddresses && tooMany(at, addresses.length, mostAddresses),
    addresses.flatMap((address, index) => checkTyped(at, index, address, type)),
    checkOptionalText(below(path, "nodeName"), stringAt(endpoint, "nodeName"), dnsSubdomain),
    checkOptionalText(below(path, "hostname"), stringAt(endpoint, "hostname"), dnsLabel),
  );
}

function checkTyped(path: string, index: number, address: string, type: string): FieldError[] {
  const at = `${path}[${index}]`;
  if (type === "FQDN") {
    return checkText(at, address, dnsSubdomain);
  }
  const errors = checkIp(at, address);
  if (errors.length > 0 || (type !== "IPv4" && type !== "IPv6")) {
    return type === "IPv4" || type === "IPv6" ? errors : [];
  }
  return faults(
    familyOf(address) === type || invalid(path, address, `must be an ${type} address`),
    checkEndpointIp(at, address),
  );
}
