/** The specs of pods and pod templates. */
import { type FieldError, faults } from "../../../field-errors.ts";
import { checkIp } from "../../../validate/addresses.ts";
import { checkLabels, maxInt32 } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { checkAnnotations } from "../../../validate/metadata.ts";
import { dnsLabel, dnsSubdomain } from "../../../validate/text-rules.ts";
import { checkContainers, checkInitContainers, checkNodeNetwork } from "./containers.ts";
import { checkAffinity, checkSpread, checkToleration } from "./scheduling.ts";
import { checkPodSecurity } from "./security.ts";
import { checkVolumes } from "./volumes.ts";

/** A pod template, e.g. at spec.template of a Deployment. */
export function checkPodTemplate(template: Field): FieldError[] {
  // As in the API server, the paths of labels and annotations leave the metadata out.
  const metadata = template.at("metadata").shownAs(template.path);
  const spec = template.at("spec");
  const ephemeral = spec.at("ephemeralContainers");
  return faults(
    checkLabels(metadata.at("labels")),
    checkAnnotations(metadata.at("annotations")),
    checkPodSpec(spec),
    ephemeral.items.length > 0 && ephemeral.forbidden("ephemeral containers not allowed in pod template"),
  );
}

/** What a pod is to be. */
export function checkPodSpec(spec: Field): FieldError[] {
  const { errors, names } = checkVolumes(spec.at("volumes"));
  const grace = spec.at("terminationGracePeriodSeconds");
  const around = { volumes: names, gracePeriod: grace.isSet ? grace.number : 30 };
  return [
    ...errors,
    ...checkContainers(spec.at("containers"), around),
    ...checkInitContainers(spec, around),
    ...checkPolicies(spec),
    ...checkLabels(spec.at("nodeSelector")),
    ...checkPodSecurity(spec.at("securityContext")),
    ...checkNodeNetwork(spec),
    ...checkAffinity(spec.at("affinity")),
    ...checkDns(spec),
    ...spec.at("hostAliases").each(checkAlias),
    ...spec.at("topologySpreadConstraints").each(checkSpread),
    ...checkNames(spec),
    ...checkDeadline(spec.at("activeDeadlineSeconds")),
    ...spec.at("tolerations").each(checkToleration),
  ];
}

function checkPolicies(spec: Field): FieldError[] {
  return [
    ...spec.at("restartPolicy").oneOf(["Always", "OnFailure", "Never"]),
    ...spec.at("dnsPolicy").oneOf(["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]),
  ];
}

function checkDns(spec: Field): FieldError[] {
  const [config, servers] = [spec.at("dnsConfig"), spec.at("dnsConfig.nameservers")];
  if (spec.at("dnsPolicy").text !== "None") {
    return servers.each(checkIp);
  }
  if (!config.isSet) {
    return [config.required("must provide `dnsConfig` when `dnsPolicy` is None")];
  }
  const why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
  return faults(servers.items.length > 0 || servers.required(why), servers.each(checkIp));
}

/** Lines for the file of hosts. */
function checkAlias(alias: Field): FieldError[] {
  return [...checkIp(alias.at("ip")), ...alias.at("hostnames").each((name) => name.follows(dnsSubdomain))];
}

function checkNames(spec: Field): FieldError[] {
  const objects = ["serviceAccountName", "nodeName", "priorityClassName", "runtimeClassName"];
  return [
    ...spec.all(objects, (name) => name.check(dnsSubdomain)),
    ...spec.all(["hostname", "subdomain"], (name) => name.check(dnsLabel)),
  ];
}

function checkDeadline(seconds: Field): FieldError[] {
  return seconds.isSet ? seconds.between(1, maxInt32) : [];
}
