/** Disruption budgets and priority classes. */
import { type FieldError, forbidden, invalid } from "../field-errors.ts";
import { changesOf, type KindRules } from "../resources/kind-rules.ts";
import { isTrueAt, nodeAt, numberAt, own, stringAt, type Tree, treeAt } from "../tree.ts";
import { checkChoice, checkCounts, checkLabelSelector, checkUnchanged } from "../validate/checks.ts";
import { checkAmountOrPercent, checkAtMostAll } from "../validate/workloads.ts";

/** The rules of PodDisruptionBudgets. */
export const disruptionBudgetRules: KindRules = {
  generation: changesOf("spec"),
  unconditionalUpdate: false,
  check: (budget) => {
    const spec = treeAt(budget, "spec") ?? {};
    const policy = nodeAt(spec, "unhealthyPodEvictionPolicy");
    return [
      ...checkBounds(spec),
      ...checkLabelSelector("spec.selector", treeAt(spec, "selector")),
      ...(typeof policy === "string"
        ? checkChoice("spec.unhealthyPodEvictionPolicy", policy, ["AlwaysAllow", "IfHealthyBudget"])
        : []),
    ];
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
  return [
    ...(bounds.length > 1 ? [invalid("spec", internalForm(spec), why)] : []),
    ...bounds.flatMap((field) => [
      ...checkAmountOrPercent(`spec.${field}`, own(spec, field)),
      ...checkAtMostAll(`spec.${field}`, own(spec, field)),
    ]),
  ];
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

const highestPriority = 1_000_000_000;
const systemPrefix = "system-";
const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/** The rules of PriorityClasses. */
export const priorityClassRules: KindRules = {
  generation: changesOf("value", "globalDefault", "description", "preemptionPolicy"),
  check: (one) => [
    ...checkValue(one),
    ...checkChoice("preemptionPolicy", stringAt(one, "preemptionPolicy"), ["PreemptLowerPriority", "Never"]),
  ],
  checkUpdate: (one, old) => [
    ...(numberAt(one, "value") === numberAt(old, "value")
      ? []
      : [forbidden("value", "may not be changed in an update.")]),
    ...checkUnchanged("preemptionPolicy", own(one, "preemptionPolicy"), own(old, "preemptionPolicy")),
  ],
};

function checkValue(one: Tree): FieldError[] {
  const name = stringAt(one, "metadata", "name");
  const value = numberAt(one, "value") ?? 0;
  if (!name.startsWith(systemPrefix)) {
    const why = `maximum allowed value of a user defined priority is ${highestPriority}`;
    return value > highestPriority ? [forbidden("value", why)] : [];
  }
  const fault = systemFault(name, value, isTrueAt(one, "globalDefault"));
  const why = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${fault ?? ""}`;
  return fault === undefined ? [] : [forbidden("metadata.name", why)];
}

function systemFault(name: string, value: number, isDefault: boolean): string | undefined {
  const known = systemClasses.get(name);
  if (known === undefined) {
    return `${name} is not a known system priority class`;
  }
  if (known !== value) {
    return `value of ${name} PriorityClass must be ${known}`;
  }
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
