import type { FieldError } from "../../field-errors.ts";
import { changesOf } from "../../resources/kind-rules.ts";
import { ensureTree, numberAt, setDefault } from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkLastingTemplate, checkReplicaCounts, checkSelector } from "../../validate/workloads.ts";
import type { Kind } from "../kind.ts";
import { replicaCells } from "./cells.ts";

function checkReplicaSet(set: Field): FieldError[] {
  const spec = set.at("spec");
  return [
    ...checkCounts(spec, "replicas", "minReadySeconds"),
    // The message speaks of a deployment, as the API server's does.
    ...checkSelector(spec.at("selector"), "deployment"),
    ...checkLastingTemplate(spec, "ReplicaSet"),
  ];
}

/** ReplicaSets. */
export const replicaSet: Kind = {
  bucket: "replicasets.apps",
  rules: {
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
  },
  defaults: {
    "io.k8s.api.apps.v1.ReplicaSet": (set) => setDefault(ensureTree(set, "spec"), "replicas", 1),
  },
  cells: replicaCells,
};
