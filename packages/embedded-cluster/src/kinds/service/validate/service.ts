import {
  duplicate,
  type FieldError,
  faults,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../field-errors.ts";
import { nodeAt, numberAt, stringAt, stringsAt, type Tree, treeAt } from "../../../tree.ts";
import { checkCidr, checkEndpointIp, checkIp } from "../../../validate/addresses.ts";
import { checkEnum, checkLabels, checkPort, checkRequiredEnum, checkText } from "../../../validate/checks.ts";
import { dnsSubdomain, qualifiedKey } from "../../../validate/text-rules.ts";
import { isBalancer, isExternal, isHeadless, needsAddress, needsHealthCheck } from "../service-facts.ts";
import { checkAddresses } from "./service-addresses.ts";
import { checkServicePorts } from "./service-ports.ts";

/** What is wrong with a service, its name aside. */
export function checkService(service: Tree): FieldError[] {
  const spec = treeAt(service, "spec") ?? {};
  return faults(
    checkByType(spec),
    checkServicePorts(spec),
    checkLabels("spec.selector", spec, "selector"),
    checkSession(spec),
    needsAddress(spec) && checkAddresses(spec),
    checkExternalIps(spec),
    checkRequiredEnum("spec", spec, "core.v1.ServiceSpec.type"),
    checkOpenPorts(spec),
    checkSourceRanges(spec),
    checkBalancerFields(spec),
    checkTraffic(spec),
  );
}

function checkByType(spec: Tree): FieldError[] {
  const type = stringAt(spec, "type");
  const hasPorts = stringAt(spec, "type") === "ExternalName" || isHeadless(spec);
  const isPortless = !hasPorts && (nodeAt(spec, "ports") === undefined || !isFilled(nodeAt(spec, "ports")));
  const errors = isPortless ? [required("spec.ports")] : [];
  if (type === "ExternalName") {
    return [...errors, ...checkExternalName(spec)];
  }
  return isHeadless(spec) && (type === "LoadBalancer" || type === "NodePort")
    ? [...errors, invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)]
    : errors;
}

function isFilled(list: Tree[string]): boolean {
  return Array.isArray(list) && list.length > 0;
}

function checkExternalName(spec: Tree): FieldError[] {
  const name = stringAt(spec, "externalName").replace(/\.$/, "");
  const why = "may not be set for ExternalName services";
  return faults(
    stringsAt(spec, "clusterIPs").length > 0 && forbidden("spec.clusterIPs", why),
    stringsAt(spec, "ipFamilies").length > 0 && forbidden("spec.ipFamilies", why),
    stringAt(spec, "ipFamilyPolicy") === "" || forbidden("spec.ipFamilyPolicy", why),
    name === "" ? required("spec.externalName") : checkText("spec.externalName", name, dnsSubdomain),
  );
}

function checkSession(spec: Tree): FieldError[] {
  const affinity = stringAt(spec, "sessionAffinity");
  const path = "spec.sessionAffinityConfig";
  const seconds = numberAt(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
  const errors = checkRequiredEnum("spec", spec, "core.v1.ServiceSpec.sessionAffinity");
  if (affinity === "None" && nodeAt(spec, "sessionAffinityConfig") !== undefined) {
    return [...errors, forbidden(path, "must not be set when session affinity is None")];
  }
  const isOff = affinity === "ClientIP" && seconds !== undefined && (seconds <= 0 || seconds > 86_400);
  return isOff
    ? [
        ...errors,
        invalid(`${path}.clientIP.timeoutSeconds`, seconds, "must be greater than 0 and less than 86400"),
      ]
    : errors;
}

function checkExternalIps(spec: Tree): FieldError[] {
  return stringsAt(spec, "externalIPs").flatMap((address, index) => {
    const path = `spec.externalIPs[${index}]`;
    const errors = checkIp(path, address);
    return errors.length > 0 ? errors : checkEndpointIp(path, address);
  });
}

/** A service inside of the cluster opens no ports of nodes. */
function checkOpenPorts(spec: Tree): FieldError[] {
  const ports = Array.isArray(spec["ports"]) ? spec["ports"] : [];
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const nodePort = numberAt(port, "nodePort") ?? 0;
    const path = `spec.ports[${index}].nodePort`;
    if (nodePort === 0) {
      return [];
    }
    const key = `${stringAt(port, "protocol")}/${nodePort}`;
    const isTwice = seen.has(key);
    seen.add(key);
    return faults(
      stringAt(spec, "type") === "ClusterIP" && forbidden(path, "may not be used when `type` is 'ClusterIP'"),
      isTwice && duplicate(path, nodePort),
    );
  });
}

const balancersOnly = "may only be used when `type` is 'LoadBalancer'";

function checkSourceRanges(spec: Tree): FieldError[] {
  const ranges = stringsAt(spec, "loadBalancerSourceRanges");
  const path = "spec.LoadBalancerSourceRanges";
  return ranges.length === 0
    ? []
    : faults(
        isBalancer(spec) || forbidden(path, balancersOnly),
        ranges.flatMap((range, index) => checkCidr(`${path}[${index}]`, range.trim())),
      );
}

function checkBalancerFields(spec: Tree): FieldError[] {
  const kind = nodeAt(spec, "loadBalancerClass");
  const isUnwanted = !isBalancer(spec) && nodeAt(spec, "allocateLoadBalancerNodePorts") !== undefined;
  const errors = isUnwanted ? [forbidden("spec.allocateLoadBalancerNodePorts", balancersOnly)] : [];
  if (typeof kind !== "string") {
    return errors;
  }
  return isBalancer(spec)
    ? [...errors, ...checkText("spec.loadBalancerClass", kind, qualifiedKey)]
    : [...errors, forbidden("spec.loadBalancerClass", balancersOnly)];
}

function checkTraffic(spec: Tree): FieldError[] {
  const outside = stringAt(spec, "externalTrafficPolicy");
  return faults(
    isExternal(spec)
      ? checkRequiredEnum("spec", spec, "core.v1.ServiceSpec.externalTrafficPolicy")
      : outside === "" ||
          invalid(
            "spec.externalTrafficPolicy",
            outside,
            "may only be set for externally-accessible services",
          ),
    checkHealthPort(spec),
    checkEnum("spec", spec, "core.v1.ServiceSpec.internalTrafficPolicy"),
    checkDistribution(spec),
  );
}

function checkHealthPort(spec: Tree): FieldError[] {
  const path = "spec.healthCheckNodePort";
  const port = numberAt(spec, "healthCheckNodePort") ?? 0;
  if (needsHealthCheck(spec)) {
    return port === 0 ? [required(path)] : checkPort(path, port);
  }
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [invalid(path, port, why)];
}

function checkDistribution(spec: Tree): FieldError[] {
  const known = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  const distribution = nodeAt(spec, "trafficDistribution");
  return typeof distribution === "string" && !known.includes(distribution)
    ? [notSupported("spec.trafficDistribution", distribution, known)]
    : [];
}
