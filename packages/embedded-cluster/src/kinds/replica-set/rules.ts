import type { FieldError } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { numberAt, type Tree, treeAt } from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import {
  checkLastingTemplate,
  checkReplicaCounts,
  checkSameSelector,
  checkSelector,
} from "../../validate/workloads.ts";

/** The rules of ReplicaSets. */
export const replicaSetRules: KindRules = {
  generation: changesOf("spec"),
  check: checkReplicaSet,
  checkWholeUpdate: (set, old) => [...checkReplicaSet(set), ...checkSameSelector(set, old)],
  checkStatus: (set) =>
    checkReplicaCounts(
      treeAt(set, "status"),
      ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
      ["observedGeneration"],
    ),
  selectableFields: (set) => ({ "status.replicas": String(numberAt(set, "status", "replicas") ?? 0) }),
};

function checkReplicaSet(set: Tree): FieldError[] {
  const spec = treeAt(set, "spec") ?? {};
  return [
    ...checkCounts("spec", spec, ["replicas", "minReadySeconds"]),
    // The message speaks of a deployment, as the API server's does.
    ...checkSelector(spec, "deployment"),
    ...checkLastingTemplate(spec, "ReplicaSet"),
  ];
}
