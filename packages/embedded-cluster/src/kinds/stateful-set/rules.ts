import { type FieldError, faults, forbidden, invalid, required } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import {
  nodeAt,
  semanticallyEqual,
  stringAt,
  type Tree,
  type TreeNode,
  treeAt,
  treesAt,
} from "../../tree.ts";
import {
  below,
  checkChoice,
  checkCounts,
  checkEach,
  checkLabels,
  checkOptionalText,
} from "../../validate/checks.ts";
import { checkAnnotations } from "../../validate/metadata.ts";
import { dnsLabel } from "../../validate/text-rules.ts";
import {
  amountOf,
  checkAmountOrPercent,
  checkAtMostAll,
  checkLastingSpec,
  checkReplicaCounts,
  checkSelector,
  checkSelects,
} from "../../validate/workloads.ts";
import { checkClaimSpec } from "../persistent-volume-claim/validate.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";

/** The rules of StatefulSets. */
export const statefulSetRules: KindRules = {
  generation: changesOf("spec"),
  nameRule: dnsLabel,
  check: checkStatefulSet,
  checkUpdate,
  checkStatus: (set) =>
    checkReplicaCounts(
      treeAt(set, "status"),
      ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
      ["observedGeneration", "collisionCount"],
    ),
};

function checkStatefulSet(set: Tree): FieldError[] {
  const spec = treeAt(set, "spec") ?? {};
  const policy = stringAt(spec, "podManagementPolicy");
  return faults(
    ["OrderedReady", "Parallel"].includes(policy) ||
      invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'"),
    checkStrategy(treeAt(spec, "updateStrategy")),
    checkRetention(treeAt(spec, "persistentVolumeClaimRetentionPolicy")),
    checkEach("spec.volumeClaimTemplates", treesAt(spec, "volumeClaimTemplates"), (at, claim) =>
      checkClaimSpec(below(at, "spec"), treeAt(claim, "spec") ?? {}),
    ),
    checkCounts("spec", spec, ["replicas", "minReadySeconds"]),
    checkCounts("spec.ordinals", treeAt(spec, "ordinals"), ["start"]),
    checkOptionalText("spec.serviceName", stringAt(spec, "serviceName"), dnsLabel),
    checkSelector(spec, "statefulset"),
    checkTemplate(spec),
  );
}

/** The claim templates are volumes too; host names are made by the set. */
function checkTemplate(spec: Tree): FieldError[] {
  const template = treeAt(spec, "template") ?? {};
  const claims = treesAt(spec, "volumeClaimTemplates").map((claim) => stringAt(claim, "metadata", "name"));
  const podSpec = treeAt(template, "spec") ?? {};
  const volumes: TreeNode[] = [
    ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...treesAt(podSpec, "volumes").filter((volume) => !claims.includes(stringAt(volume, "name"))),
  ];
  const whole = { ...template, spec: { ...podSpec, hostname: "", subdomain: "", volumes } };
  return [
    ...checkSelects(spec, template),
    ...checkPodTemplate("spec.template", whole),
    ...checkLabels("spec.template.labels", template, "metadata", "labels"),
    ...checkAnnotations(template, "spec.template.annotations"),
    ...checkLastingSpec(template, "StatefulSet"),
  ];
}

function checkStrategy(strategy: Tree | undefined): FieldError[] {
  const rolling = treeAt(strategy, "rollingUpdate");
  const path = "spec.updateStrategy";
  switch (stringAt(strategy, "type")) {
    case "":
      return [required(path)];
    case "OnDelete":
      return rolling === undefined
        ? []
        : [invalid(`${path}.rollingUpdate`, rolling, "only allowed for updateStrategy 'RollingUpdate'")];
    case "RollingUpdate":
      return checkRolling(`${path}.rollingUpdate`, rolling);
    default:
      return [invalid(path, strategy ?? null, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function checkRolling(path: string, rolling: Tree | undefined): FieldError[] {
  const unavailable = nodeAt(rolling, "maxUnavailable");
  const at = `${path}.maxUnavailable`;
  return faults(
    checkCounts(path, rolling, ["partition"]),
    unavailable === undefined ||
      faults(
        checkAmountOrPercent(at, unavailable),
        amountOf(unavailable) === 0 && invalid(at, unavailable, "cannot be 0"),
        checkAtMostAll(at, unavailable),
      ),
  );
}

function checkRetention(policy: Tree | undefined): FieldError[] {
  const path = "spec.persistentVolumeClaimRetentionPolicy";
  return policy === undefined
    ? []
    : ["whenDeleted", "whenScaled"].flatMap((field) =>
        checkChoice(`${path}.${field}`, stringAt(policy, field), ["Retain", "Delete"]),
      );
}

const changeable = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
];

function checkUpdate(set: Tree, old: Tree): FieldError[] {
  const fixed = (object: Tree): Tree =>
    Object.fromEntries(
      Object.entries(treeAt(object, "spec") ?? {}).filter(([field]) => !changeable.includes(field)),
    );
  return semanticallyEqual(fixed(set), fixed(old))
    ? []
    : [
        forbidden(
          "spec",
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ];
}
