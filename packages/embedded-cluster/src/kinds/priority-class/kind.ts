import { type FieldError, faults, forbidden } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { isTrueAt, numberAt, own, setDefault, stringAt, type Tree } from "../../tree.ts";
import { checkChoice, checkUnchanged } from "../../validate/tree-checks.ts";
import type { Defaults, Kind } from "../kind.ts";

/** The cells of PriorityClasses. */
const priorityClassCells: Cells = (object, now) => [
  nameOf(object),
  numberAt(object, "value") ?? 0,
  isTrueAt(object, "globalDefault"),
  ageOf(object, now),
  stringAt(object, "preemptionPolicy"),
];

/** The defaults of PriorityClasses. */
const priorityClassDefaults: Defaults = {
  "io.k8s.api.scheduling.v1.PriorityClass": (priority) =>
    setDefault(priority, "preemptionPolicy", "PreemptLowerPriority"),
};

const highestPriority = 1_000_000_000;

const systemPrefix = "system-";

const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/** The rules of PriorityClasses. */
const priorityClassRules: KindRules = {
  generation: changesOf("value", "globalDefault", "description", "preemptionPolicy"),
  check: ({ tree: one }) => [
    ...checkValue(one),
    ...checkChoice("preemptionPolicy", stringAt(one, "preemptionPolicy"), ["PreemptLowerPriority", "Never"]),
  ],
  checkUpdate: ({ tree: one }, { tree: old }) =>
    faults(
      numberAt(one, "value") === numberAt(old, "value") ||
        forbidden("value", "may not be changed in an update."),
      checkUnchanged("preemptionPolicy", own(one, "preemptionPolicy"), own(old, "preemptionPolicy")),
    ),
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

/** PriorityClasses. */
export const priorityClass: Kind = {
  bucket: "priorityclasses.scheduling.k8s.io",
  rules: priorityClassRules,
  defaults: priorityClassDefaults,
  cells: priorityClassCells,
};
