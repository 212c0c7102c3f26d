import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { numberAt } from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkLastingSpec, checkReplicaCounts } from "../../validate/workloads.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";

/** The rules of ReplicationControllers. */
export const replicationControllerRules: KindRules = {
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
};

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
