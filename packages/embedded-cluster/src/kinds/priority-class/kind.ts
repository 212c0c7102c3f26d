import { type FieldError, faults } from "../../field-errors.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { isTrueAt, numberAt, setDefault, stringAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import type { Kind } from "../kind.ts";

const highestPriority = 1_000_000_000;

const systemPrefix = "system-";

const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

function checkValue(one: Field): FieldError[] {
  const [name, value] = [one.at("metadata.name"), one.at("value")];
  if (!name.text.startsWith(systemPrefix)) {
    const why = `maximum allowed value of a user defined priority is ${highestPriority}`;
    return faults(value.number > highestPriority && value.forbidden(why));
  }
  const fault = systemFault(name.text, value.number, one.at("globalDefault").isTrue);
  const why = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${fault ?? ""}`;
  return faults(fault !== undefined && name.forbidden(why));
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
  rules: {
    // As in the API server, the first generation is the only one.
    generation: () => false,
    check: (one) => [
      ...checkValue(one),
      ...one.at("preemptionPolicy").oneOf(["PreemptLowerPriority", "Never"]),
    ],
    checkUpdate: (one, old) => {
      const [value, policy] = [one.at("value"), one.at("preemptionPolicy")];
      return faults(
        value.number === old.at("value").number || value.forbidden("may not be changed in an update."),
        policy.unchanged(old.at("preemptionPolicy")),
      );
    },
  },
  defaults: {
    "io.k8s.api.scheduling.v1.PriorityClass": (priority) =>
      setDefault(priority, "preemptionPolicy", "PreemptLowerPriority"),
  },
  cells: (object, now) => [
    nameOf(object),
    numberAt(object, "value") ?? 0,
    isTrueAt(object, "globalDefault"),
    ageOf(object, now),
    stringAt(object, "preemptionPolicy"),
  ],
};
