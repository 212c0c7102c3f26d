import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf } from "../../resources/kind-rules.ts";
import { printLabels } from "../../tables/cell-text.ts";
import { ensureTree, numberAt, setDefault, type Tree, treeAt } from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkLastingSpec, checkReplicaCounts } from "../../validate/workloads.ts";
import type { Kind } from "../kind.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";
import { replicaCells } from "../replica-set/cells.ts";

function checkTemplate(template: Field, selector: Field): FieldError[] {
  if (!template.isSet) {
    return [template.required()];
  }
  const labels = template.at("metadata.labels");
  const isMatch = [...selector.textMap].every(([key, value]) => labels.textMap.get(key) === value);
  return faults(
    isMatch || labels.invalid("`selector` does not match template `labels`"),
    checkPodTemplate(template),
    checkLastingSpec(template, "ReplicationController"),
  );
}

function defaultReplicationController(controller: Tree): void {
  const spec = ensureTree(controller, "spec");
  const labels = treeAt(spec, "template", "metadata", "labels");
  setDefault(spec, "replicas", 1);
  if (labels !== undefined) {
    setDefault(spec, "selector", { ...labels });
    setDefault(ensureTree(controller, "metadata"), "labels", { ...labels });
  }
}

/** ReplicationControllers, the ancestors of ReplicaSets. */
export const replicationController: Kind = {
  bucket: "replicationcontrollers",
  rules: {
    generation: changesOf("spec"),
    dependents: "orphan",
    check: (controller) => {
      const spec = controller.at("spec");
      const selector = spec.at("selector");
      return faults(
        checkCounts(spec, "minReadySeconds"),
        selector.textMap.size === 0 && selector.required(),
        checkCounts(spec, "replicas"),
        checkTemplate(spec.at("template"), selector),
      );
    },
    checkStatus: (controller) =>
      checkReplicaCounts(
        controller.at("status"),
        ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
        ["observedGeneration"],
      ),
    selectableFields: (controller) => ({
      "status.replicas": String(numberAt(controller, "status", "replicas") ?? 0),
    }),
  },
  defaults: {
    "io.k8s.api.core.v1.ReplicationController": defaultReplicationController,
  },
  cells: (object, now) => [
    ...replicaCells(object, now).slice(0, -1),
    printLabels(object, "spec", "selector"),
  ],
};
