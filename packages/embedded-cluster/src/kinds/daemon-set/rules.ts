import { type FieldError, faults, invalid, required } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { nodeAt, semanticallyEqual, stringAt, type Tree, treeAt } from "../../tree.ts";
import { checkCounts, checkLabelSelector, isEmptySelector } from "../../validate/checks.ts";
import {
  amountOf,
  checkAmountOrPercent,
  checkAtMostAll,
  checkLastingSpec,
  checkSameSelector,
  checkStrategyType,
  selects,
} from "../../validate/workloads.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";

/** How often the template was changed, counted for the old API and kept in this annotation. */
const templateGeneration = "deprecated.daemonset.template.generation";

/** The rules of DaemonSets. */
export const daemonSetRules: KindRules = {
  generation: changesOf("spec"),
  prepareCreate: (set) => countTemplate(set, "1"),
  prepareUpdate: (set, old) => {
    const before = stringAt(old, "metadata", "annotations", templateGeneration);
    const isChanged = !semanticallyEqual(nodeAt(set, "spec", "template"), nodeAt(old, "spec", "template"));
    countTemplate(set, isChanged ? String(Number(before) + 1) : before);
  },
  check: checkDaemonSet,
  checkWholeUpdate: (set, old) => [...checkDaemonSet(set), ...checkSameSelector(set, old)],
  checkStatus: (set) =>
    checkCounts("status", treeAt(set, "status"), [
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
      "observedGeneration",
      "updatedNumberScheduled",
      "numberAvailable",
      "numberUnavailable",
      "collisionCount",
    ]),
};

function countTemplate(set: Tree, count: string): void {
  const metadata = treeAt(set, "metadata") ?? {};
  metadata["annotations"] = { ...treeAt(metadata, "annotations"), [templateGeneration]: count };
}

function checkDaemonSet(set: Tree): FieldError[] {
  const spec = treeAt(set, "spec") ?? {};
  const template = treeAt(spec, "template") ?? {};
  const selector = treeAt(spec, "selector");
  const labels = treeAt(template, "metadata", "labels") ?? null;
  return faults(
    checkLabelSelector("spec.selector", selector),
    // Without a selector nothing is selected, and the API server says so here.
    (selector === undefined || !selects(selector, template)) &&
      invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"),
    selector !== undefined &&
      isEmptySelector(selector) &&
      invalid("spec.selector", selector, "empty selector is invalid for daemonset"),
    checkPodTemplate("spec.template", template),
    checkLastingSpec(template, "DaemonSet"),
    checkCounts("spec", spec, ["minReadySeconds"]),
    checkStrategy(treeAt(spec, "updateStrategy")),
    checkCounts("spec", spec, ["revisionHistoryLimit"]),
  );
}

const path = "spec.updateStrategy.rollingUpdate";

function checkStrategy(strategy: Tree | undefined): FieldError[] {
  const rolling = treeAt(strategy, "rollingUpdate");
  switch (stringAt(strategy, "type")) {
    case "OnDelete":
      return [];
    case "RollingUpdate":
      return rolling === undefined ? [required(path)] : checkRolling(rolling);
    default:
      return checkStrategyType("spec.updateStrategy", strategy, ["RollingUpdate", "OnDelete"]);
  }
}

function checkRolling(rolling: Tree): FieldError[] {
  const { maxUnavailable, maxSurge } = rolling;
  const isUnavailable = amountOf(maxUnavailable) !== 0;
  const isSurging = amountOf(maxSurge) !== 0;
  return faults(
    checkAmountOrPercent(`${path}.maxUnavailable`, maxUnavailable),
    checkAmountOrPercent(`${path}.maxSurge`, maxSurge),
    checkAtMostAll(`${path}.maxUnavailable`, maxUnavailable),
    checkAtMostAll(`${path}.maxSurge`, maxSurge),
    isUnavailable &&
      isSurging &&
      invalid(`${path}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero"),
    !isUnavailable && !isSurging && required(`${path}.maxUnavailable`, "cannot be 0 when maxSurge is 0"),
  );
}
