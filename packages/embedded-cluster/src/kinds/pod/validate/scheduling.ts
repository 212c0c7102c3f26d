/** Where pods may run: tolerations, affinity, spread. */
import { type FieldError, faults } from "../../../field-errors.ts";
import { checkLabelSelector, checkOperator } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { labelValue, qualifiedKey } from "../../../validate/text-rules.ts";

/** A taint that a pod puts up with. */
export function checkToleration(toleration: Field): FieldError[] {
  const [key, operator] = [toleration.at("key"), toleration.at("operator")];
  const [effect, seconds] = [toleration.at("effect"), toleration.at("tolerationSeconds")];
  const isAll = key.text === "" && operator.text !== "Exists";
  const isTimed = seconds.isSet && effect.text !== "NoExecute";
  return faults(
    key.check(qualifiedKey),
    isAll &&
      operator.invalid(
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    isTimed && effect.invalid("effect must be 'NoExecute' when `tolerationSeconds` is set"),
    checkTolerationOperator(operator, toleration.at("value").text),
    effect.text === "" || effect.oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
  );
}

function checkTolerationOperator(operator: Field, value: string): FieldError[] {
  switch (operator.text) {
    case "":
    case "Equal": {
      const found = labelValue(value);
      return faults(found.length > 0 && operator.invalid(found.join(";"), value));
    }
    case "Exists":
      return faults(
        value === "" || operator.invalid("value must be empty when `operator` is 'Exists'", value),
      );
    default:
      return operator.oneOf(["Equal", "Exists"]);
  }
}

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";

const preferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

/** What a pod wants to be near to, or far from. */
export function checkAffinity(affinity: Field): FieldError[] {
  return [
    ...checkNodeAffinity(affinity.at("nodeAffinity")),
    ...affinity.all(["podAffinity", "podAntiAffinity"], checkPodAffinity),
  ];
}

function checkNodeAffinity(affinity: Field): FieldError[] {
  const needed = affinity.at(requiredTerms);
  const terms = needed.at("nodeSelectorTerms");
  const isAny = !needed.isSet || terms.items.length > 0;
  return faults(
    isAny || terms.required("must have at least one node selector term"),
    terms.each((term) => term.at("matchExpressions").each(checkRequirement)),
    affinity
      .at(preferredTerms)
      .each((term) => [
        ...checkWeight(term.at("weight")),
        ...term.at("preference.matchExpressions").each(checkPreference),
      ]),
  );
}

/** A term that the labels of a node must meet. */
function checkRequirement(term: Field): FieldError[] {
  return [...checkPreference(term), ...term.at("values").each((value) => value.follows(labelValue))];
}

/** A term that they should meet. As in the API server, its values need not be valid as values of labels. */
function checkPreference(term: Field): FieldError[] {
  return [...checkNodeOperator(term), ...term.at("key").follows(qualifiedKey)];
}

/** Labels of nodes may also be compared with a number. */
function checkNodeOperator(term: Field): FieldError[] {
  const values = term.at("values");
  if (!["Gt", "Lt"].includes(term.at("operator").text)) {
    return checkOperator(term);
  }
  const why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
  return faults(values.items.length === 1 || values.required(why));
}

function checkPodAffinity(affinity: Field): FieldError[] {
  return [
    ...affinity.at(requiredTerms).each(checkPodTerm),
    ...affinity
      .at(preferredTerms)
      .each((term) => [...checkWeight(term.at("weight")), ...checkPodTerm(term.at("podAffinityTerm"))]),
  ];
}

function checkPodTerm(term: Field): FieldError[] {
  const key = term.at("topologyKey");
  return faults(
    checkLabelSelector(term.at("labelSelector")),
    key.text === "" && key.required("can not be empty"),
    key.follows(qualifiedKey),
  );
}

function checkWeight(weight: Field): FieldError[] {
  const isGood = weight.number >= 1 && weight.number <= 100;
  return faults(isGood || weight.invalid("must be in the range 1-100"));
}

/** How pods spread over nodes. */
export function checkSpread(constraint: Field): FieldError[] {
  const skew = constraint.at("maxSkew");
  return faults(
    skew.number > 0 || skew.invalid("must be greater than zero"),
    constraint.at("topologyKey").needs(undefined, "can not be empty"),
    constraint.at("whenUnsatisfiable").check(),
    checkLabelSelector(constraint.at("labelSelector")),
  );
}
