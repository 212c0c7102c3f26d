import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf } from "../../resources/kind-rules.ts";
import { ageOf, nameOf, textOf } from "../../tables/cell-text.ts";
import { nodeAt, numberAt, type Tree } from "../../tree.ts";
import { checkCounts, checkLabelSelector } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkAmountOrPercent, checkAtMostAll } from "../../validate/workloads.ts";
import type { Kind } from "../kind.ts";

function checkBounds(spec: Field): FieldError[] {
  const bounds = spec.whichSet(["minAvailable", "maxUnavailable"]);
  const why = "minAvailable and maxUnavailable cannot be both set";
  return faults(
    bounds.length > 1 && spec.invalid(why, internalForm(spec.tree)),
    bounds.flatMap((bound) => [...checkAmountOrPercent(bound), ...checkAtMostAll(bound)]),
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
  rules: {
    generation: changesOf("spec"),
    unconditionalUpdate: false,
    check: (budget) => {
      const spec = budget.at("spec");
      const policy = spec.at("unhealthyPodEvictionPolicy");
      return faults(
        checkBounds(spec),
        checkLabelSelector(spec.at("selector")),
        policy.isSet && policy.oneOf(policy.words),
      );
    },
    checkStatus: (budget) =>
      checkCounts(
        budget.at("status"),
        "disruptionsAllowed",
        "currentHealthy",
        "desiredHealthy",
        "expectedPods",
      ),
  },
  cells: (object, now) => [
    nameOf(object),
    textOf(nodeAt(object, "spec", "minAvailable"), "N/A"),
    textOf(nodeAt(object, "spec", "maxUnavailable"), "N/A"),
    numberAt(object, "status", "disruptionsAllowed") ?? 0,
    ageOf(object, now),
  ],
};
