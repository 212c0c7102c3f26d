import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { semanticallyEqual, type TreeNode } from "../../tree.ts";
import { checkCounts, checkLabels, without } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
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
      set.at("status"),
      ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
      ["observedGeneration", "collisionCount"],
    ),
};

function checkStatefulSet(set: Field): FieldError[] {
  const spec = set.at("spec");
  const policy = spec.at("podManagementPolicy");
  return faults(
    ["OrderedReady", "Parallel"].includes(policy.text) ||
      policy.invalid("must be 'OrderedReady' or 'Parallel'"),
    checkStrategy(spec.at("updateStrategy")),
    checkRetention(spec.at("persistentVolumeClaimRetentionPolicy")),
    spec.at("volumeClaimTemplates").each((claim) => checkClaimSpec(claim.at("spec"))),
    checkCounts(spec, "replicas", "minReadySeconds"),
    checkCounts(spec, "ordinals.start"),
    spec.at("serviceName").check(dnsLabel),
    checkSelector(spec.at("selector"), "statefulset"),
    checkTemplate(spec),
  );
}

/** The claim templates are volumes too; host names are made by the set. */
function checkTemplate(spec: Field): FieldError[] {
  const template = spec.at("template");
  const claims = spec.at("volumeClaimTemplates").items.map((claim) => claim.at("metadata.name").text);
  const others = template.at("spec.volumes").items.filter((one) => !claims.includes(one.at("name").text));
  const volumes: TreeNode[] = [
    ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...others.map(({ tree }) => tree),
  ];
  const podSpec = { ...template.at("spec").tree, hostname: "", subdomain: "", volumes };
  const metadata = template.at("metadata").shownAs(template.path);
  return [
    ...checkSelects(spec),
    ...checkPodTemplate(template.holding({ ...template.tree, spec: podSpec })),
    ...checkLabels(metadata.at("labels")),
    ...checkAnnotations(metadata.at("annotations")),
    ...checkLastingSpec(template, "StatefulSet"),
  ];
}

function checkStrategy(strategy: Field): FieldError[] {
  const rolling = strategy.at("rollingUpdate");
  switch (strategy.at("type").text) {
    case "":
      return [strategy.required()];
    case "OnDelete":
      return faults(rolling.isSet && rolling.invalid("only allowed for updateStrategy 'RollingUpdate'"));
    case "RollingUpdate":
      return checkRolling(rolling);
    default:
      return [strategy.invalid("must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function checkRolling(rolling: Field): FieldError[] {
  const unavailable = rolling.at("maxUnavailable");
  return faults(
    checkCounts(rolling, "partition"),
    unavailable.isSet && [
      ...checkAmountOrPercent(unavailable),
      ...faults(amountOf(unavailable) === 0 && unavailable.invalid("cannot be 0")),
      ...checkAtMostAll(unavailable),
    ],
  );
}

function checkRetention(policy: Field): FieldError[] {
  return policy.isSet
    ? policy.all(["whenDeleted", "whenScaled"], (field) => field.oneOf(["Retain", "Delete"]))
    : [];
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

function checkUpdate(set: Field, old: Field): FieldError[] {
  const [now, before] = [set.at("spec"), old.at("spec")];
  return faults(
    semanticallyEqual(without(now.tree, ...changeable), without(before.tree, ...changeable)) ||
      now.forbidden(
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ),
  );
}
