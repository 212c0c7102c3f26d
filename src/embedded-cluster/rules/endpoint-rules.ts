/** Endpoints of services, old and new, and leases. */
import { duplicate, type FieldError, forbidden, invalid, required, tooMany } from "../field-errors.ts";
import { changesOf, type KindRules } from "../resources/kind-rules.ts";
import { nodeAt, numberAt, own, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../tree.ts";
import { checkEndpointIp, checkIp, familyOf } from "../validate/addresses.ts";
import {
  below,
  checkChoice,
  checkEach,
  checkOptionalText,
  checkPort,
  checkRequiredChoice,
  checkText,
  checkUnchanged,
} from "../validate/checks.ts";
import { checkAppProtocol, protocols } from "../validate/service-ports.ts";
import { dnsLabel, dnsSubdomain } from "../validate/text-rules.ts";

/** The rules of Endpoints. */
export const endpointsRules: KindRules = {
  createOnUpdate: true,
  check: (endpoints) => checkEach("subsets", treesAt(endpoints, "subsets"), checkSubset),
};

/** The rules of EndpointSlices. */
export const endpointSliceRules: KindRules = {
  generation: changesOf("addressType", "endpoints", "ports"),
  check: (slice) => [
    ...checkRequiredChoice("addressType", stringAt(slice, "addressType"), ["FQDN", "IPv4", "IPv6"]),
    ...checkPorts(treesAt(slice, "ports")),
    ...checkEach("endpoints", treesAt(slice, "endpoints"), (path, endpoint) =>
      checkEndpoint(path, endpoint, stringAt(slice, "addressType")),
    ),
  ],
  checkUpdate: (slice, old) =>
    checkUnchanged("addressType", own(slice, "addressType"), own(old, "addressType")),
};

/** The rules of Leases. */
export const leaseRules: KindRules = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  check: (lease) => {
    const spec = treeAt(lease, "spec");
    const [seconds, transitions] = [
      numberAt(spec, "leaseDurationSeconds"),
      numberAt(spec, "leaseTransitions"),
    ];
    const strategy = stringAt(spec, "strategy");
    return [
      ...(seconds !== undefined && seconds <= 0
        ? [invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")]
        : []),
      ...(transitions !== undefined && transitions < 0
        ? [invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")]
        : []),
      ...(stringAt(spec, "preferredHolder") !== "" && strategy === ""
        ? [forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined")]
        : []),
    ];
  },
};

function checkSubset(path: string, subset: Tree): FieldError[] {
  const fields = ["addresses", "notReadyAddresses"];
  const ports = treesAt(subset, "ports");
  const isEmpty = fields.every((field) => treesAt(subset, field).length === 0);
  return [
    ...(isEmpty ? [required(path, "must specify `addresses` or `notReadyAddresses`")] : []),
    ...fields.flatMap((field) => checkEach(below(path, field), treesAt(subset, field), checkAddress)),
    ...checkEach(below(path, "ports"), ports, (at, port) => [
      ...(stringAt(port, "name") === "" && ports.length > 1 ? [required(below(at, "name"))] : []),
      ...checkOptionalText(below(at, "name"), stringAt(port, "name"), dnsLabel),
      ...checkPort(below(at, "port"), nodeAt(port, "port")),
      ...checkRequiredChoice(below(at, "protocol"), stringAt(port, "protocol"), protocols),
      ...checkAppProtocol(below(at, "appProtocol"), nodeAt(port, "appProtocol")),
    ]),
  ];
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

function checkPorts(ports: readonly Tree[]): FieldError[] {
  const names = ports.map((port) => stringAt(port, "name"));
  return checkEach("ports", [...ports], (path, port) => {
    const name = stringAt(port, "name");
    const isTwice = names.indexOf(name) < ports.indexOf(port);
    return [
      ...checkOptionalText(below(path, "name"), name, dnsLabel),
      ...(isTwice ? [duplicate(below(path, "name"), name)] : []),
      ...checkChoice(below(path, "protocol"), stringAt(port, "protocol"), protocols),
      ...checkAppProtocol(below(path, "appProtocol"), nodeAt(port, "appProtocol")),
    ];
  });
}

const mostAddresses = 100;

function checkEndpoint(path: string, endpoint: Tree, type: string): FieldError[] {
  const addresses = stringsAt(endpoint, "addresses");
  const at = below(path, "addresses");
  return [
    ...(addresses.length === 0 ? [required(at, "must contain at least 1 address")] : []),
    ...(addresses.length > mostAddresses ? [tooMany(at, addresses.length, mostAddresses)] : []),
    ...addresses.flatMap((address, index) => checkTyped(at, index, address, type)),
    ...checkOptionalText(below(path, "nodeName"), stringAt(endpoint, "nodeName"), dnsSubdomain),
    ...checkOptionalText(below(path, "hostname"), stringAt(endpoint, "hostname"), dnsLabel),
  ];
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
  return [
    ...(familyOf(address) === type ? [] : [invalid(path, address, `must be an ${type} address`)]),
    ...checkEndpointIp(at, address),
  ];
}
