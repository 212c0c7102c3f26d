import { duplicate, type FieldError, faults, forbidden, notSupported, required } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { isTrueAt, nodeAt, stringAt, stringsAt, type Tree, treesAt } from "../../tree.ts";
import { labelValue, qualifiedKey } from "../../validate/text-rules.ts";
import { below, checkEach, checkText } from "../../validate/tree-checks.ts";

/** The rules of Nodes. */
export const nodeRules: KindRules = {
  // Whoever registers a node tells its state at once.
  ownsStatus: true,
  check: ({ tree: node }) => checkTaints(treesAt(node, "spec", "taints")),
  checkUpdate: ({ tree: node }, { tree: old }) => [
    ...checkFixed(node, old, "podCIDR", stringsAt(old, "spec", "podCIDRs").length > 0, "podCIDRs"),
    ...checkFixed(node, old, "providerID", stringAt(old, "spec", "providerID") !== "", "providerID"),
  ],
  selectableFields: (node) => ({ "spec.unschedulable": String(isTrueAt(node, "spec", "unschedulable")) }),
};

function checkFixed(node: Tree, old: Tree, word: string, isSet: boolean, field: string): FieldError[] {
  const show = (one: Tree): string => JSON.stringify(nodeAt(one, "spec", field) ?? null);
  return isSet && show(node) !== show(old)
    ? [forbidden(`spec.${field}`, `node updates may not change ${word} except from "" to valid`)]
    : [];
}

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function checkTaints(taints: readonly Tree[]): FieldError[] {
  const keys = taints.map((taint) => `${stringAt(taint, "key")}:${stringAt(taint, "effect")}`);
  return checkEach("metadata.taints", [...taints], (path, taint) => {
    const [key, value, effect] = [
      stringAt(taint, "key"),
      stringAt(taint, "value"),
      stringAt(taint, "effect"),
    ];
    const isTwice = keys.indexOf(`${key}:${effect}`) < taints.indexOf(taint);
    return faults(
      checkText(below(path, "key"), key, qualifiedKey),
      checkText(below(path, "value"), value, labelValue),
      effect === ""
        ? required(below(path, "effect"))
        : effects.includes(effect) || notSupported(below(path, "effect"), effect, effects),
      isTwice && duplicate(path, taint),
    );
  });
}
