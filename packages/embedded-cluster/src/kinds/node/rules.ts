import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { isTrueAt, type Tree } from "../../tree.ts";
import { repeats } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { labelValue, qualifiedKey } from "../../validate/text-rules.ts";

/** The rules of Nodes. */
export const nodeRules: KindRules = {
  // Whoever registers a node tells its state at once.
  ownsStatus: true,
  check: (node) => checkTaints(node.at("spec.taints").shownAs("metadata.taints")),
  checkUpdate: (node, old) =>
    Object.entries(fixed).flatMap(([name, word]) => {
      const [now, before] = [node.at(name), old.at(name)];
      const isOpen = before.items.length === 0 && before.text === "";
      const why = `node updates may not change ${word} except from "" to valid`;
      return faults(isOpen || now.equals(before) || now.forbidden(why));
    }),
  selectableFields: (node) => ({ "spec.unschedulable": String(isTrueAt(node, "spec", "unschedulable")) }),
};

/** What stays once it is set, with the word for it. */
const fixed = { "spec.podCIDRs": "podCIDR", "spec.providerID": "providerID" };

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function checkTaints(taints: Field): FieldError[] {
  const isTwice = repeats();
  return taints.each((taint) => {
    const [key, effect] = [taint.at("key"), taint.at("effect")];
    return faults(
      key.follows(qualifiedKey),
      taint.at("value").follows(labelValue),
      effect.text === "" ? effect.required() : effect.oneOf(effects),
      isTwice(`${key.text}:${effect.text}`) &&
        taint.duplicate(internalForm(taint), "taints must be unique by key and effect pair"),
    );
  });
}

/** The API server shows a taint by the names of its own fields. */
function internalForm(taint: Field): Tree {
  return {
    Key: taint.at("key").text,
    Value: taint.at("value").text,
    Effect: taint.at("effect").text,
    TimeAdded: taint.at("timeAdded").value ?? null,
  };
}
