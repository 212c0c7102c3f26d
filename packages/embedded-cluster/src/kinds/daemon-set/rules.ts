import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { nodeAt, semanticallyEqual, stringAt, type Tree, treeAt } from "../../tree.ts";
import { checkCounts, checkLabelSelector } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import {
  amountOf,
  checkAmountOrPercent,
  checkAtMostAll,
  checkLastingSpec,
  checkNotEmpty,
  notSelected,
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
  checkWholeUpdate: (set, old) => [
    ...checkDaemonSet(set),
    ...set.at("spec.selector").unchanged(old.at("spec.selector")),
  ],
  checkStatus: (set) =>
    checkCounts(
      set.at("status"),
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
      "observedGeneration",
      "updatedNumberScheduled",
      "numberAvailable",
      "numberUnavailable",
      "collisionCount",
    ),
};

function countTemplate(set: Tree, count: string): void {
  const metadata = treeAt(set, "metadata") ?? {};
  metadata["annotations"] = { ...treeAt(metadata, "annotations"), [templateGeneration]: count };
}

function checkDaemonSet(set: Field): FieldError[] {
  const spec = set.at("spec");
  const [template, selector] = [spec.at("template"), spec.at("selector")];
  return faults(
    checkLabelSelector(selector),
    // Without a selector nothing is selected, and the API server says so here.
    (selector.isSet && selects(selector, template)) || notSelected(template),
    checkNotEmpty(selector, "daemonset"),
    checkPodTemplate(template),
    checkLastingSpec(template, "DaemonSet"),
    checkCounts(spec, "minReadySeconds"),
    checkStrategy(spec.at("updateStrategy")),
    checkCounts(spec, "revisionHistoryLimit"),
  );
}

function checkStrategy(strategy: Field): FieldError[] {
  const rolling = strategy.at("rollingUpdate");
  switch (strategy.at("type").text) {
    case "OnDelete":
      return [];
    case "RollingUpdate":
      return rolling.isSet ? checkRolling(rolling) : [rolling.required()];
    default:
      return [strategy.notSupported(["RollingUpdate", "OnDelete"])];
  }
}

function checkRolling(rolling: Field): FieldError[] {
  const [unavailable, surge] = [rolling.at("maxUnavailable"), rolling.at("maxSurge")];
  const isUnavailable = amountOf(unavailable) !== 0;
  const isSurging = amountOf(surge) !== 0;
  return faults(
    checkAmountOrPercent(unavailable),
    checkAmountOrPercent(surge),
    checkAtMostAll(unavailable),
    checkAtMostAll(surge),
    isUnavailable && isSurging && surge.invalid("may not be set when maxUnavailable is non-zero"),
    isUnavailable || isSurging || unavailable.required("cannot be 0 when maxSurge is 0"),
  );
}
