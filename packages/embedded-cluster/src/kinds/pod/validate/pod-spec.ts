/** The specs of pods and pod templates. */

import { type FieldError, faults, invalid, required } from "../../../field-errors.ts";
import { numberAt, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../../../tree.ts";
import { checkIp } from "../../../validate/addresses.ts";
import { checkLabels } from "../../../validate/checks.ts";
import { Field } from "../../../validate/field.ts";
import { checkAnnotations } from "../../../validate/metadata.ts";
import { dnsLabel, dnsSubdomain, rangeMessage } from "../../../validate/text-rules.ts";
import {
  below,
  checkChoice,
  checkEach,
  checkOptionalText,
  checkText,
  checkLabels as checkTreeLabels,
} from "../../../validate/tree-checks.ts";
import { checkContainers, checkInitContainers, checkNodeNetwork } from "./containers.ts";
import { checkAffinity, checkSpread, checkTolerations } from "./scheduling.ts";
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
    checkPodSpec(spec.path, spec.tree),
    ephemeral.items.length > 0 && ephemeral.forbidden("ephemeral containers not allowed in pod template"),
  );
}

/** What a pod is to be. */
export function checkPodSpec(path: string, spec: Tree): FieldError[] {
  const { errors, names } = checkVolumes(below(path, "volumes"), spec);
  const around = { volumes: names, gracePeriod: numberAt(spec, "terminationGracePeriodSeconds") ?? 30 };
  return [
    ...errors,
    ...checkContainers(below(path, "containers"), spec, around),
    ...checkInitContainers(below(path, "initContainers"), spec, around),
    ...checkPolicies(path, spec),
    ...checkTreeLabels(below(path, "nodeSelector"), spec, "nodeSelector"),
    ...checkPodSecurity(below(path, "securityContext"), treeAt(spec, "securityContext")),
    ...checkNodeNetwork(below(path, "containers"), spec),
    ...checkAffinity(below(path, "affinity"), treeAt(spec, "affinity")),
    ...checkDns(path, spec),
    ...checkAddresses(`${below(path, "dnsConfig")}.nameservers`, stringsAt(spec, "dnsConfig", "nameservers")),
    ...checkEach(below(path, "hostAliases"), treesAt(spec, "hostAliases"), checkAlias),
    ...checkSpread(below(path, "topologySpreadConstraints"), spec),
    ...checkNames(path, spec),
    ...checkDeadline(path, spec),
    ...checkTolerations(below(path, "tolerations"), spec),
  ];
}

function checkPolicies(path: string, spec: Tree): FieldError[] {
  return [
    ...checkChoice(below(path, "restartPolicy"), stringAt(spec, "restartPolicy"), [
      "Always",
      "OnFailure",
      "Never",
    ]),
    ...checkChoice(below(path, "dnsPolicy"), stringAt(spec, "dnsPolicy"), [
      "ClusterFirstWithHostNet",
      "ClusterFirst",
      "Default",
      "None",
    ]),
  ];
}

function checkDns(path: string, spec: Tree): FieldError[] {
  const isOwn = stringAt(spec, "dnsPolicy") === "None";
  if (isOwn && treeAt(spec, "dnsConfig") === undefined) {
    return [required(below(path, "dnsConfig"), "must provide `dnsConfig` when `dnsPolicy` is None")];
  }
  return isOwn && stringsAt(spec, "dnsConfig", "nameservers").length === 0
    ? [
        required(
          below(path, "dnsConfig.nameservers"),
          "must provide at least one DNS nameserver when `dnsPolicy` is None",
        ),
      ]
    : [];
}

function checkAddresses(path: string, addresses: readonly string[]): FieldError[] {
  return addresses.flatMap((address, index) => checkIp(Field.named(`${path}[${index}]`, address)));
}

/** Lines for the file of hosts. */
function checkAlias(path: string, alias: Tree): FieldError[] {
  return [
    ...checkIp(Field.named(below(path, "ip"), stringAt(alias, "ip"))),
    ...stringsAt(alias, "hostnames").flatMap((name, index) =>
      checkText(`${below(path, "hostnames")}[${index}]`, name, dnsSubdomain),
    ),
  ];
}

function checkNames(path: string, spec: Tree): FieldError[] {
  return [
    ...["serviceAccountName", "nodeName", "priorityClassName", "runtimeClassName"].flatMap((field) =>
      checkOptionalText(below(path, field), stringAt(spec, field), dnsSubdomain),
    ),
    ...["hostname", "subdomain"].flatMap((field) =>
      checkOptionalText(below(path, field), stringAt(spec, field), dnsLabel),
    ),
  ];
}

const mostSeconds = 2 ** 31 - 1;

function checkDeadline(path: string, spec: Tree): FieldError[] {
  const deadline = numberAt(spec, "activeDeadlineSeconds");
  return deadline !== undefined && (deadline < 1 || deadline > mostSeconds)
    ? [invalid(below(path, "activeDeadlineSeconds"), deadline, rangeMessage(1, mostSeconds))]
    : [];
}
