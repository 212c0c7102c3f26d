/** Checks that many kinds share, beside those that every field has: what is wrong with a field of a certain meaning. */

import { parseQuantity } from "@weir/kube";
import { type FieldError, faults } from "../field-errors.ts";
import type { Tree, TreeNode } from "../tree.ts";
import type { Field } from "./field.ts";
import { dnsSubdomain, labelValue, portName, qualifiedKey, rangeMessage } from "./text-rules.ts";

/** The greatest number of 32 bits. */
export const maxInt32 = 2 ** 31 - 1;

/** Fields of an object that hold counts: not below zero. */
export function checkCounts(object: Field, ...names: readonly string[]): FieldError[] {
  return object.all(names, (count) => count.atLeast(0));
}

/** A port number. */
export function checkPort(port: Field): FieldError[] {
  return port.between(1, 65_535);
}

/** A port by its number, or by the name that containers gave it. */
export function checkPortOrName(port: Field): FieldError[] {
  return typeof port.value === "string" ? port.follows(portName) : checkPort(port);
}

/** The name of a driver for storage. */
export function checkDriver(name: Field): FieldError[] {
  const found = dnsSubdomain(name.text.toLowerCase());
  return faults(
    name.text === "" && name.required(),
    name.text.length > 63 && name.tooLong(63),
    found.map((message) => name.invalid(message)),
  );
}

/** The port of a service that the API server is to call. */
export function checkCalledPort(port: Field): FieldError[] {
  const why = `port is not valid: ${rangeMessage(1, 65_535)}`;
  return faults(checkPort(port).length === 0 || port.invalid(why));
}

/** A list that must have items. */
export function checkNotEmpty(list: Field, detail?: string): FieldError[] {
  return list.items.length > 0 ? [] : [list.required(detail)];
}

/** Labels of an object, or those that a selector asks for: qualified keys, label values. */
export function checkLabels(labels: Field): FieldError[] {
  return [...labels.textMap].flatMap(([key, value]) => [
    ...qualifiedKey(key).map((message) => labels.invalid(message, key)),
    ...labelValue(value).map((message) => labels.invalid(message, value)),
  ]);
}

/** A label selector as objects have it. */
export function checkLabelSelector(selector: Field): FieldError[] {
  return [
    ...checkLabels(selector.at("matchLabels")),
    ...selector.at("matchExpressions").each(checkRequirement),
  ];
}

/** True for a selector that selects everything, having no terms. */
export function isEmptySelector(selector: Field): boolean {
  return selector.at("matchLabels").textMap.size === 0 && selector.at("matchExpressions").items.length === 0;
}

function checkRequirement(requirement: Field): FieldError[] {
  return [
    ...checkOperator(requirement),
    ...requirement.at("key").follows(qualifiedKey),
    ...requirement.at("values").each((value) => value.follows(labelValue)),
  ];
}

/** The operator of a selector's term, which goes with values or without. */
export function checkOperator(requirement: Field): FieldError[] {
  const operator = requirement.at("operator");
  const values = requirement.at("values");
  const isAny = values.items.length > 0;
  switch (operator.text) {
    case "In":
    case "NotIn":
      return faults(isAny || values.required("must be specified when `operator` is 'In' or 'NotIn'"));
    case "Exists":
    case "DoesNotExist":
      return faults(
        isAny && values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    default:
      return [operator.invalid("not a valid selector operator")];
  }
}

/** An amount that is not below zero. */
export function checkNonNegativeQuantity(amount: Field): FieldError[] {
  return faults(
    (quantityOf(amount.value) ?? 0n) < 0n && amount.invalid("must be greater than or equal to 0"),
  );
}

/** True where both are amounts and the first is more. */
export function isMore(a: TreeNode | undefined, b: TreeNode | undefined): boolean {
  const [one, other] = [quantityOf(a), quantityOf(b)];
  return one !== undefined && other !== undefined && one > other;
}

function quantityOf(amount: TreeNode | undefined): bigint | undefined {
  return typeof amount === "string" ? parseQuantity(amount) : undefined;
}

/** A new test of texts: true for those that it was asked about before, and for none that is empty. */
export function repeats(): (key: string) => boolean {
  const seen = new Set<string>([]);
  return (key) => key !== "" && seen.size === seen.add(key).size;
}

/** The part of an object without some of its fields. */
export function without(object: Tree, ...names: readonly string[]): Tree {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
