import type { FieldError } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { numberAt } from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkLastingTemplate, checkReplicaCounts, checkSelector } from "../../validate/workloads.ts";

/** The rules of ReplicaSets. */
export const replicaSetRules: KindRules = {
  generation: changesOf("spec"),
  check: checkReplicaSet,
  checkWholeUpdate: (set, old) => [
    ...checkReplicaSet(set),
    ...set.at("spec.selector").unchanged(old.at("spec.selector")),
  ],
  checkStatus: (set) =>
    checkReplicaCounts(
      set.at("status"),
      ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
      ["observedGeneration"],
    ),
  selectableFields: (set) => ({ "status.replicas": String(numberAt(set, "status", "replicas") ?? 0) }),
};

function checkReplicaSet(set: Field): FieldError[] {
  const spec = set.at("spec");
  return [
    ...checkCounts(spec, "replicas", "minReadySeconds"),
    // The message speaks of a deployment, as the API server's does.
    ...checkSelector(spec.at("selector"), "deployment"),
    ...checkLastingTemplate(spec, "ReplicaSet"),
  ];
}
