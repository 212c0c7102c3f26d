import { type FieldError, faults, forbidden, invalid, notSupported, required } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { nodeAt, numberAt, stringAt, stringMapAt, type Tree, treeAt } from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import { checkReplicaCounts } from "../../validate/workloads.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";

/** The rules of ReplicationControllers. */
export const replicationControllerRules: KindRules = {
  generation: changesOf("spec"),
  dependents: "orphan",
  check: (controller) => {
    const spec = treeAt(controller, "spec") ?? {};
    return faults(
      checkCounts("spec", spec, ["minReadySeconds"]),
      stringMapAt(spec, "selector").size === 0 && required("spec.selector"),
      checkCounts("spec", spec, ["replicas"]),
      checkTemplate(spec),
    );
  },
  checkStatus: (controller) =>
    checkReplicaCounts(
      treeAt(controller, "status"),
      ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
      ["observedGeneration"],
    ),
  selectableFields: (controller) => ({
    "status.replicas": String(numberAt(controller, "status", "replicas") ?? 0),
  }),
};

function checkTemplate(spec: Tree): FieldError[] {
  const template = treeAt(spec, "template");
  const path = "spec.template";
  if (template === undefined) {
    return [required(path)];
  }
  const labels = stringMapAt(template, "metadata", "labels");
  const isMatch = [...stringMapAt(spec, "selector")].every(([key, value]) => labels.get(key) === value);
  const shown = treeAt(template, "metadata", "labels") ?? null;
  const policy = stringAt(template, "spec", "restartPolicy");
  return faults(
    isMatch || invalid(`${path}.metadata.labels`, shown, "`selector` does not match template `labels`"),
    checkPodTemplate(path, template),
    policy === "Always" || notSupported(`${path}.spec.restartPolicy`, policy, ["Always"]),
    nodeAt(template, "spec", "activeDeadlineSeconds") === undefined ||
      forbidden(
        `${path}.spec.activeDeadlineSeconds`,
        "activeDeadlineSeconds in ReplicationController is not Supported",
      ),
  );
}
