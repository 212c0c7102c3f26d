/** Where pods may run: tolerations, affinity, spread. */

import {
  type FieldError,
  faults,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../field-errors.ts";
import { numberAt, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../../../tree.ts";
import { labelValue, qualifiedKey } from "../../../validate/text-rules.ts";
import {
  below,
  checkChoice,
  checkEach,
  checkEnum,
  checkLabelSelector,
  checkText,
} from "../../../validate/tree-checks.ts";

/** The taints that a pod puts up with. */
export function checkTolerations(path: string, spec: Tree): FieldError[] {
  return checkEach(path, treesAt(spec, "tolerations"), (at, toleration) => {
    const key = stringAt(toleration, "key");
    const operator = stringAt(toleration, "operator");
    const effect = stringAt(toleration, "effect");
    return faults(
      key === "" || checkText(below(at, "key"), key, qualifiedKey),
      key === "" &&
        operator !== "Exists" &&
        invalid(
          below(at, "operator"),
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      numberAt(toleration, "tolerationSeconds") !== undefined &&
        effect !== "NoExecute" &&
        invalid(below(at, "effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      checkTolerationOperator(below(at, "operator"), operator, stringAt(toleration, "value")),
      effect === "" ||
        checkChoice(below(at, "effect"), effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"]),
    );
  });
}

function checkTolerationOperator(path: string, operator: string, value: string): FieldError[] {
  switch (operator) {
    case "":
    case "Equal": {
      const found = labelValue(value);
      return found.length === 0 ? [] : [invalid(path, value, found.join(";"))];
    }
    case "Exists":
      return value === "" ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    default:
      return [notSupported(path, operator, ["Equal", "Exists"])];
  }
}

/** What a pod wants to be near to, or far from. */
export function checkAffinity(path: string, affinity: Tree | undefined): FieldError[] {
  return [
    ...checkNodeAffinity(below(path, "nodeAffinity"), treeAt(affinity, "nodeAffinity")),
    ...["podAffinity", "podAntiAffinity"].flatMap((field) =>
      checkPodAffinity(below(path, field), treeAt(affinity, field)),
    ),
  ];
}

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";

const preferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

function checkNodeAffinity(path: string, affinity: Tree | undefined): FieldError[] {
  const needed = treeAt(affinity, requiredTerms);
  const at = below(below(path, requiredTerms), "nodeSelectorTerms");
  const terms = treesAt(needed, "nodeSelectorTerms");
  return faults(
    needed !== undefined && terms.length === 0 && required(at, "must have at least one node selector term"),
    checkEach(at, terms, checkNodeTerm),
    checkEach(below(path, preferredTerms), treesAt(affinity, preferredTerms), (one, term) => [
      ...checkWeight(one, term),
      ...checkNodeTerm(below(one, "preference"), treeAt(term, "preference") ?? {}),
    ]),
  );
}

function checkNodeTerm(path: string, term: Tree): FieldError[] {
  return checkEach(below(path, "matchExpressions"), treesAt(term, "matchExpressions"), (at, requirement) => {
    const values = stringsAt(requirement, "values");
    return [
      ...checkNodeOperator(at, stringAt(requirement, "operator"), values.length),
      ...checkText(below(at, "key"), stringAt(requirement, "key"), qualifiedKey),
      ...values.flatMap((value, index) => checkText(`${below(at, "values")}[${index}]`, value, labelValue)),
    ];
  });
}

function checkNodeOperator(path: string, operator: string, values: number): FieldError[] {
  const at = below(path, "values");
  switch (operator) {
    case "In":
    case "NotIn":
      return values > 0 ? [] : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values === 0
        ? []
        : [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case "Gt":
    case "Lt":
      return values === 1
        ? []
        : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(below(path, "operator"), operator, "not a valid selector operator")];
  }
}

function checkPodAffinity(path: string, affinity: Tree | undefined): FieldError[] {
  return [
    ...checkEach(below(path, requiredTerms), treesAt(affinity, requiredTerms), checkPodTerm),
    ...checkEach(below(path, preferredTerms), treesAt(affinity, preferredTerms), (at, term) => [
      ...checkWeight(at, term),
      ...checkPodTerm(below(at, "podAffinityTerm"), treeAt(term, "podAffinityTerm") ?? {}),
    ]),
  ];
}

function checkPodTerm(path: string, term: Tree): FieldError[] {
  const key = stringAt(term, "topologyKey");
  return faults(
    checkLabelSelector(below(path, "labelSelector"), treeAt(term, "labelSelector")),
    key === "" && required(below(path, "topologyKey"), "can not be empty"),
    checkText(below(path, "topologyKey"), key, qualifiedKey),
  );
}

function checkWeight(path: string, term: Tree): FieldError[] {
  const weight = numberAt(term, "weight") ?? 0;
  return weight < 1 || weight > 100
    ? [invalid(below(path, "weight"), weight, "must be in the range 1-100")]
    : [];
}

/** How pods spread over nodes. */
export function checkSpread(path: string, spec: Tree): FieldError[] {
  return checkEach(path, treesAt(spec, "topologySpreadConstraints"), (at, constraint) => {
    const skew = numberAt(constraint, "maxSkew") ?? 0;
    return faults(
      skew > 0 || invalid(below(at, "maxSkew"), skew, "must be greater than zero"),
      stringAt(constraint, "topologyKey") === "" && required(below(at, "topologyKey"), "can not be empty"),
      checkEnum(at, constraint, "core.v1.TopologySpreadConstraint.whenUnsatisfiable"),
      checkLabelSelector(below(at, "labelSelector"), treeAt(constraint, "labelSelector")),
    );
  });
}
