import { type FieldError, faults, invalid } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { enumField } from "../../schema/enum-fields.ts";
import { ageOf, type Cells, nameOf, textOf } from "../../tables/cell-text.ts";
import { nodeAt, numberAt, own, type Tree, treeAt } from "../../tree.ts";
import { checkChoice, checkCounts, checkLabelSelector } from "../../validate/checks.ts";
import { checkAmountOrPercent, checkAtMostAll } from "../../validate/workloads.ts";
import type { Kind } from "../kind.ts";

/** The cells of PodDisruptionBudgets. */
const disruptionBudgetCells: Cells = (object, now) => [
  nameOf(object),
  textOf(nodeAt(object, "spec", "minAvailable"), "N/A"),
  textOf(nodeAt(object, "spec", "maxUnavailable"), "N/A"),
  numberAt(object, "status", "disruptionsAllowed") ?? 0,
  ageOf(object, now),
];

/** The rules of PodDisruptionBudgets. */
const disruptionBudgetRules: KindRules = {
  generation: changesOf("spec"),
  unconditionalUpdate: false,
  check: (budget) => {
    const spec = treeAt(budget, "spec") ?? {};
    const evictionPolicy = enumField("policy.v1.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy");
    const policy = nodeAt(spec, "unhealthyPodEvictionPolicy");
    return faults(
      checkBounds(spec),
      checkLabelSelector("spec.selector", treeAt(spec, "selector")),
      typeof policy === "string" &&
        checkChoice("spec.unhealthyPodEvictionPolicy", policy, evictionPolicy.words),
    );
  },
  checkStatus: (budget) =>
    checkCounts("status", treeAt(budget, "status"), [
      "disruptionsAllowed",
      "currentHealthy",
      "desiredHealthy",
      "expectedPods",
    ]),
};

function checkBounds(spec: Tree): FieldError[] {
  const bounds = ["minAvailable", "maxUnavailable"].filter((field) => nodeAt(spec, field) !== undefined);
  const why = "minAvailable and maxUnavailable cannot be both set";
  return faults(
    bounds.length > 1 && invalid("spec", internalForm(spec), why),
    bounds.flatMap((field) => [
      ...checkAmountOrPercent(`spec.${field}`, own(spec, field)),
      ...checkAtMostAll(`spec.${field}`, own(spec, field)),
    ]),
  );
}

/** The API server shows a spec by the names of its own fields. */
function internalForm(spec: Tree): Tree {
  return {
    MinAvailable: nodeAt(spec, "minAvailable") ?? null,
    Selector: nodeAt(spec, "selector") ?? null,
    MaxUnavailable: nodeAt(spec, "maxUnavailable") ?? null,
    UnhealthyPodEvictionPolicy: nodeAt(spec, "unhealthyPodEvictionPolicy") ?? null,
  };
}

/** PodDisruptionBudgets. */
export const disruptionBudget: Kind = {
  bucket: "poddisruptionbudgets.policy",
  rules: disruptionBudgetRules,
  cells: disruptionBudgetCells,
};
