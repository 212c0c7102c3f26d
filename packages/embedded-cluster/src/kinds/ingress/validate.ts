import { type FieldError, faults, invalid, notSupported, required } from "../../field-errors.ts";
import { enumField } from "../../schema/enum-fields.ts";
import { nodeAt, numberAt, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import { familyOf } from "../../validate/addresses.ts";
import {
  dns1035Label,
  dnsSubdomain,
  pathSegment,
  portName,
  wildcardSubdomain,
  withRegex,
} from "../../validate/text-rules.ts";
import {
  below,
  checkEach,
  checkOptionalText,
  checkPort,
  checkRequiredText,
  checkText,
} from "../../validate/tree-checks.ts";

/** The spec of an Ingress. */
export function checkIngress(ingress: Tree): FieldError[] {
  const spec = treeAt(ingress, "spec") ?? {};
  const backend = treeAt(spec, "defaultBackend");
  const rules = treesAt(spec, "rules");
  return faults(
    rules.length === 0 &&
      backend === undefined &&
      invalid("spec", null, "either `defaultBackend` or `rules` must be specified"),
    backend === undefined || checkBackend("spec.defaultBackend", backend),
    checkEach("spec.rules", rules, checkRule),
    checkEach("spec.tls", treesAt(spec, "tls"), (path, tls) => [
      ...stringsAt(tls, "hosts").flatMap((host, index) =>
        checkHost(`${below(path, "hosts")}[${index}]`, host),
      ),
      ...checkOptionalText(below(path, "secretName"), stringAt(tls, "secretName"), dnsSubdomain),
    ]),
    checkOptionalText("spec.ingressClassName", stringAt(spec, "ingressClassName"), dnsSubdomain),
  );
}

function checkHost(path: string, host: string): FieldError[] {
  return checkText(path, host, host.includes("*") ? wildcardSubdomain : dnsSubdomain);
}

function checkRule(path: string, rule: Tree): FieldError[] {
  const host = stringAt(rule, "host");
  const at = below(path, "host");
  const http = treeAt(rule, "http");
  const paths = treesAt(http, "paths");
  return faults(
    familyOf(host) === undefined || invalid(at, host, "must be a DNS name, not an IP address"),
    host === "" || checkHost(at, host),
    http !== undefined && paths.length === 0 && required(below(path, "http.paths")),
    checkEach(below(path, "http.paths"), paths, checkPath),
  );
}

function checkPath(path: string, entry: Tree): FieldError[] {
  const type = nodeAt(entry, "pathType");
  const at = below(path, "path");
  const text = stringAt(entry, "path");
  if (typeof type !== "string") {
    return [required(below(path, "pathType"), "pathType must be specified")];
  }
  const { words } = enumField("networking.v1.HTTPIngressPath.pathType");
  const isFree = type === "ImplementationSpecific";
  const isRelative = !text.startsWith("/") && !(isFree && text === "");
  return faults(
    words.includes(type)
      ? isRelative && invalid(at, text, "must be an absolute path")
      : notSupported(below(path, "pathType"), type, words),
    isFree || !words.includes(type) || checkPlainPath(at, text),
    checkBackend(below(path, "backend"), treeAt(entry, "backend") ?? {}),
  );
}

const badParts = ["//", "/./", "/../", "%2f", "%2F"];

const badEnds = ["/..", "/."];

function checkPlainPath(at: string, text: string): FieldError[] {
  return [
    ...badParts
      .filter((part) => text.includes(part))
      .map((part) => invalid(at, text, `must not contain '${part}'`)),
    ...badEnds
      .filter((end) => text.endsWith(end))
      .map((end) => invalid(at, text, `cannot end with '${end}'`)),
  ];
}

function checkBackend(path: string, backend: Tree): FieldError[] {
  const service = treeAt(backend, "service");
  const resource = treeAt(backend, "resource");
  if (service !== undefined && resource !== undefined) {
    return [invalid(path, "", "cannot set both resource and service backends")];
  }
  if (resource !== undefined) {
    return checkReference(below(path, "resource"), resource);
  }
  return service === undefined
    ? [invalid(path, "", "resource or service backend is required")]
    : [
        ...checkRequiredText(below(path, "service.name"), stringAt(service, "name"), dns1035Label),
        ...checkBackendPort(path, treeAt(service, "port") ?? {}),
      ];
}

function checkBackendPort(path: string, port: Tree): FieldError[] {
  const name = stringAt(port, "name");
  const number = numberAt(port, "number") ?? 0;
  if (name !== "" && number !== 0) {
    return [invalid(path, "", "cannot set both port name & port number")];
  }
  if (name === "" && number === 0) {
    return [required(path, "port name or number is required")];
  }
  return name === ""
    ? checkPort(below(path, "service.port.number"), number)
    : checkText(below(path, "service.port.name"), name, portName);
}

/** A reference to an object by group, kind and name. */
export function checkReference(path: string, reference: Tree): FieldError[] {
  const group = nodeAt(reference, "apiGroup");
  return faults(
    typeof group === "string" && checkText(below(path, "apiGroup"), group, dnsSubdomain),
    checkRequiredText(below(path, "kind"), stringAt(reference, "kind"), pathSegment),
    checkRequiredText(below(path, "name"), stringAt(reference, "name"), pathSegment),
  );
}

const pathRegex = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** A domain and a path below it, e.g. "acme.io/foo". */
export function checkDomainPath(path: string, text: string): FieldError[] {
  if (text === "") {
    return [required(path)];
  }
  const [domain = "", ...rest] = text.split("/");
  const below = rest.join("/");
  if (domain === "" || below === "") {
    return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return faults(
    dnsSubdomain(domain).map((message) => invalid(path, domain, message)),
    new RegExp(`^${pathRegex}$`).test(below) || invalid(path, below, withRegex("Invalid path", pathRegex)),
  );
}
