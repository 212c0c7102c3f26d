import { type FieldError, faults } from "../../field-errors.ts";
import { familyOf } from "../../validate/addresses.ts";
import { checkNotEmpty, checkPort } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import {
  dns1035Label,
  dnsSubdomain,
  pathSegment,
  portName,
  type TextRule,
  wildcardSubdomain,
} from "../../validate/text-rules.ts";

/** The spec of an Ingress. */
export function checkIngress(ingress: Field): FieldError[] {
  const spec = ingress.at("spec");
  const [backend, rules] = [spec.at("defaultBackend"), spec.at("rules")];
  return faults(
    rules.items.length > 0 ||
      backend.isSet ||
      spec.invalid("either `defaultBackend` or `rules` must be specified", null),
    backend.isSet && checkBackend(backend),
    rules.each(checkRule),
    spec
      .at("tls")
      .each((tls) => [
        ...tls.at("hosts").each((host) => host.follows(hostName)),
        ...tls.at("secretName").check(dnsSubdomain),
      ]),
    spec.at("ingressClassName").check(dnsSubdomain),
  );
}

const hostName: TextRule = (host) => (host.includes("*") ? wildcardSubdomain(host) : dnsSubdomain(host));

function checkRule(rule: Field): FieldError[] {
  const [host, paths] = [rule.at("host"), rule.at("http.paths")];
  return faults(
    familyOf(host.text) === undefined || host.invalid("must be a DNS name, not an IP address"),
    host.check(hostName),
    rule.at("http").isSet && checkNotEmpty(paths),
    paths.each(checkPath),
  );
}

function checkPath(entry: Field): FieldError[] {
  const type = entry.at("pathType");
  if (!type.isSet) {
    return [type.required("pathType must be specified")];
  }
  const unknown = type.check();
  return [
    ...(unknown.length > 0 ? unknown : entry.at("path").follows(pathOf(type.text))),
    ...checkBackend(entry.at("backend")),
  ];
}

const badParts = ["//", "/./", "/../", "%2f", "%2F"];

const badEnds = ["/..", "/."];

/** What a path of a type must look like: only those that controllers understand in their own way are free. */
function pathOf(type: string): TextRule {
  const isFree = type === "ImplementationSpecific";
  return (text) => {
    const isAbsolute = text.startsWith("/") || (isFree && text === "");
    const found = isAbsolute ? [] : ["must be an absolute path"];
    return isFree ? found : [...found, ...plainPath(text)];
  };
}

const plainPath: TextRule = (text) => [
  ...badParts.filter((part) => text.includes(part)).map((part) => `must not contain '${part}'`),
  ...badEnds.filter((end) => text.endsWith(end)).map((end) => `cannot end with '${end}'`),
];

function checkBackend(backend: Field): FieldError[] {
  const [service, resource] = [backend.at("service"), backend.at("resource")];
  if (service.isSet && resource.isSet) {
    return [backend.invalid("cannot set both resource and service backends", "")];
  }
  if (resource.isSet) {
    return checkReference(resource);
  }
  return service.isSet
    ? [...service.at("name").needs(dns1035Label), ...checkBackendPort(backend)]
    : [backend.invalid("resource or service backend is required", "")];
}

function checkBackendPort(backend: Field): FieldError[] {
  const [name, number] = [backend.at("service.port.name"), backend.at("service.port.number")];
  if (name.text !== "" && number.number !== 0) {
    return [backend.invalid("cannot set both port name & port number", "")];
  }
  if (name.text === "" && number.number === 0) {
    return [backend.required("port name or number is required")];
  }
  return name.text === "" ? checkPort(number) : name.follows(portName);
}

/** A reference to an object by group, kind and name. */
export function checkReference(reference: Field): FieldError[] {
  const group = reference.at("apiGroup");
  return faults(
    group.isSet && group.follows(dnsSubdomain),
    reference.all(["kind", "name"], (field) => field.needs(pathSegment)),
  );
}
