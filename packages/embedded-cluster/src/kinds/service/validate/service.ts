import { type FieldError, faults } from "../../../field-errors.ts";
import { checkCidr, checkEndpointIp, checkIp } from "../../../validate/addresses.ts";
import { checkLabels, checkPort, repeats } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { dnsSubdomain, qualifiedKey } from "../../../validate/text-rules.ts";
import { isBalancer, isExternal, isHeadless, needsAddress, needsHealthCheck } from "../service-facts.ts";
import { checkAddresses } from "./service-addresses.ts";
import { checkServicePorts } from "./service-ports.ts";

/** What is wrong with a service, its name aside. */
export function checkService(service: Field): FieldError[] {
  const spec = service.at("spec");
  return faults(
    checkByType(spec),
    checkServicePorts(spec.at("ports")),
    checkLabels(spec.at("selector")),
    checkSession(spec),
    needsAddress(spec.tree) && checkAddresses(spec),
    spec.at("externalIPs").each(checkExternalIp),
    spec.at("type").needs(),
    checkOpenPorts(spec),
    checkSourceRanges(spec),
    checkBalancerFields(spec),
    checkTraffic(spec),
  );
}

function checkByType(spec: Field): FieldError[] {
  const type = spec.at("type").text;
  const ports = spec.at("ports");
  const isAlone = type === "ExternalName" || isHeadless(spec.tree);
  const isOpen = isHeadless(spec.tree) && ["LoadBalancer", "NodePort"].includes(type);
  const address = spec.at("clusterIPs").shownAs("spec.clusterIPs[0]");
  return faults(
    isAlone || ports.items.length > 0 || ports.required(),
    type === "ExternalName"
      ? checkExternalName(spec)
      : isOpen && address.invalid(`may not be set to 'None' for ${type} services`, "None"),
  );
}

function checkExternalName(spec: Field): FieldError[] {
  const name = spec.at("externalName");
  const why = "may not be set for ExternalName services";
  const lists = [spec.at("clusterIPs"), spec.at("ipFamilies")];
  return faults(
    lists.filter((list) => list.items.length > 0).map((list) => list.forbidden(why)),
    spec.at("ipFamilyPolicy").text === "" || spec.at("ipFamilyPolicy").forbidden(why),
    name.holding(name.text.replace(/\.$/, "")).needs(dnsSubdomain),
  );
}

const longestSession = 86_400;

function checkSession(spec: Field): FieldError[] {
  const [affinity, config] = [spec.at("sessionAffinity"), spec.at("sessionAffinityConfig")];
  const seconds = config.at("clientIP.timeoutSeconds");
  const isOff = seconds.isSet && (seconds.number <= 0 || seconds.number > longestSession);
  return faults(
    affinity.needs(),
    affinity.text === "None" &&
      config.isSet &&
      config.forbidden("must not be set when session affinity is None"),
    affinity.text === "ClientIP" &&
      isOff &&
      seconds.invalid(`must be greater than 0 and less than ${longestSession}`),
  );
}

function checkExternalIp(address: Field): FieldError[] {
  const errors = checkIp(address);
  return errors.length > 0 ? errors : checkEndpointIp(address);
}

/** A service inside of the cluster opens no ports of nodes. */
function checkOpenPorts(spec: Field): FieldError[] {
  const isTwice = repeats();
  return spec.at("ports").each((port) => {
    const open = port.at("nodePort");
    if (open.number === 0) {
      return [];
    }
    return faults(
      spec.at("type").text === "ClusterIP" && open.forbidden("may not be used when `type` is 'ClusterIP'"),
      isTwice(`${port.at("protocol").text}/${open.number}`) && open.duplicate(),
    );
  });
}

const balancersOnly = "may only be used when `type` is 'LoadBalancer'";

function checkSourceRanges(spec: Field): FieldError[] {
  // As in the API server, the path is not that of the field.
  const ranges = spec.at("loadBalancerSourceRanges").shownAs("spec.LoadBalancerSourceRanges");
  return faults(
    ranges.items.length > 0 && !isBalancer(spec.tree) && ranges.forbidden(balancersOnly),
    ranges.each((range) => checkCidr(range.holding(range.text.trim()))),
  );
}

function checkBalancerFields(spec: Field): FieldError[] {
  const [allocate, kind] = [spec.at("allocateLoadBalancerNodePorts"), spec.at("loadBalancerClass")];
  if (isBalancer(spec.tree)) {
    return kind.isSet ? kind.follows(qualifiedKey) : [];
  }
  return [allocate, kind].filter((field) => field.isSet).map((field) => field.forbidden(balancersOnly));
}

function checkTraffic(spec: Field): FieldError[] {
  const outside = spec.at("externalTrafficPolicy");
  return faults(
    isExternal(spec.tree)
      ? outside.needs()
      : outside.text === "" || outside.invalid("may only be set for externally-accessible services"),
    checkHealthPort(spec),
    spec.at("internalTrafficPolicy").check(),
    checkDistribution(spec.at("trafficDistribution")),
  );
}

function checkHealthPort(spec: Field): FieldError[] {
  const port = spec.at("healthCheckNodePort");
  if (needsHealthCheck(spec.tree)) {
    return port.number === 0 ? [port.required()] : checkPort(port);
  }
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return faults(port.number === 0 || port.invalid(why));
}

function checkDistribution(distribution: Field): FieldError[] {
  const known = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  return distribution.isSet ? distribution.oneOf(known) : [];
}
