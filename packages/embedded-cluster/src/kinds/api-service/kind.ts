import { type FieldError, faults } from "../../field-errors.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { setDefault, stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import { checkCalledPort } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { dns1035Label, dnsSubdomain, pathSegment } from "../../validate/text-rules.ts";
import type { Kind } from "../kind.ts";

function checkName(name: Field, spec: Field): FieldError[] {
  const wanted = `${spec.at("version").text}.${spec.at("group").text}`;
  const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`;
  return faults(name.text === wanted || name.invalid(why));
}

function checkGroup(spec: Field): FieldError[] {
  const why = "only v1 may have an empty group and it better be legacy kube";
  const group = spec.at("group");
  return spec.at("version").text === "v1" ? group.check(dnsSubdomain) : group.needs(dnsSubdomain, why);
}

function checkPriority(priority: Field, most: number): FieldError[] {
  const isGood = priority.number > 0 && priority.number <= most;
  return faults(isGood || priority.invalid(`must be positive and less than ${most}`));
}

/** An API that this API server serves itself. */
function checkLocal(spec: Field): FieldError[] {
  const [insecure, size] = [spec.at("insecureSkipTLSVerify"), bundleSize(spec)];
  const why = "local APIServices may not have";
  return faults(
    size > 0 && spec.at("caBundle").invalid(`${why} a caBundle`, `${size} bytes`),
    insecure.isTrue && insecure.invalid(`${why} insecureSkipTLSVerify`),
  );
}

function checkRemote(spec: Field): FieldError[] {
  const [insecure, service] = [spec.at("insecureSkipTLSVerify"), spec.at("service")];
  return faults(
    service.all(["namespace", "name"], (name) => name.needs()),
    checkCalledPort(service.at("port")),
    insecure.isTrue && bundleSize(spec) > 0 && insecure.invalid("may not be true if caBundle is present"),
  );
}

function bundleSize(spec: Field): number {
  return Buffer.byteLength(spec.at("caBundle").text, "base64");
}

function apiServiceTarget(service: Tree): string {
  const target = treeAt(service, "spec", "service");
  return target === undefined ? "Local" : `${stringAt(target, "namespace")}/${stringAt(target, "name")}`;
}

function apiServiceStatus(service: Tree): string {
  const condition = treesAt(service, "status", "conditions").find((one) => one["type"] === "Available");
  const status = stringAt(condition, "status") || "Unknown";
  const reason = stringAt(condition, "reason");
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}

/** APIServices. */
export const apiService: Kind = {
  bucket: "apiservices.apiregistration.k8s.io",
  rules: {
    nameRule: pathSegment,
    check: (service) => {
      const spec = service.at("spec");
      return [
        ...checkName(service.at("metadata.name"), spec),
        ...checkGroup(spec),
        ...spec.at("version").follows(dns1035Label),
        ...checkPriority(spec.at("groupPriorityMinimum"), 20_000),
        ...checkPriority(spec.at("versionPriority"), 1000),
        ...(spec.at("service").isSet ? checkRemote(spec) : checkLocal(spec)),
      ];
    },
  },
  defaults: {
    "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference": (service) =>
      setDefault(service, "port", 443),
  },
  cells: (object, now) => [
    nameOf(object),
    apiServiceTarget(object),
    apiServiceStatus(object),
    ageOf(object, now),
  ],
};
