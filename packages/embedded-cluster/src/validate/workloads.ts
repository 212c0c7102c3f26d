/** What the specs of workloads have in common. */
import { labelSelectorOf } from "@weir/kube";
import { type FieldError, faults } from "../field-errors.ts";
import { checkPodTemplate } from "../kinds/pod/validate/pod-spec.ts";
import { inKeyOrder } from "../tree.ts";
import { checkCounts, checkLabelSelector, isEmptySelector } from "./checks.ts";
import type { Field } from "./field.ts";
import { percent } from "./text-rules.ts";

/** A selector that must be there and select something; `kind` stands in the message. */
export function checkSelector(selector: Field, kind: string): FieldError[] {
  return selector.isSet
    ? [...checkLabelSelector(selector), ...checkNotEmpty(selector, kind)]
    : [selector.required()];
}

/** A selector that selects something, where there is one. */
export function checkNotEmpty(selector: Field, kind: string): FieldError[] {
  const isEmpty = selector.isSet && isEmptySelector(selector);
  return faults(isEmpty && selector.invalid(`empty selector is invalid for ${kind}`));
}

/** A template of pods that run for ever, selected by the workload's selector. */
export function checkLastingTemplate(spec: Field, kind: string): FieldError[] {
  const template = spec.at("template");
  return [...checkSelects(spec), ...checkPodTemplate(template), ...checkLastingSpec(template, kind)];
}

/** Pods of lasting workloads restart always and have no deadline. */
export function checkLastingSpec(template: Field, kind: string): FieldError[] {
  const deadline = template.at("spec.activeDeadlineSeconds");
  return faults(
    template.at("spec.restartPolicy").oneOf(["Always"]),
    deadline.isSet && deadline.forbidden(`activeDeadlineSeconds in ${kind} is not Supported`),
  );
}

/** The selector must select the pods of the template. */
export function checkSelects(spec: Field): FieldError[] {
  const [selector, template] = [spec.at("selector"), spec.at("template")];
  if (selector.isSet && !isReadable(selector)) {
    return [selector.invalid("invalid label selector")];
  }
  const isGood = selector.isSet && (isEmptySelector(selector) || selects(selector, template));
  return isGood ? [] : [notSelected(template)];
}

/** The labels of a template are not those that the selector asks for. */
export function notSelected(template: Field): FieldError {
  const labels = template.at("metadata.labels");
  const shown = labels.isSet ? inKeyOrder(labels.tree) : null;
  return labels.invalid("`selector` does not match template `labels`", shown);
}

function isReadable(selector: Field): boolean {
  try {
    labelSelectorOf(selector.tree);
    return true;
  } catch {
    return false;
  }
}

/** True where a selector selects pods of a template; also where the selector is no good, which is said elsewhere. */
export function selects(selector: Field, template: Field): boolean {
  const labels = Object.fromEntries(template.at("metadata.labels").textMap);
  return !isReadable(selector) || labelSelectorOf(selector.tree)(labels);
}

/** A count or a percentage. */
export function checkAmountOrPercent(amount: Field): FieldError[] {
  return typeof amount.value === "string" ? amount.follows(percent) : amount.atLeast(0);
}

/** A percentage is at most 100. */
export function checkAtMostAll(amount: Field): FieldError[] {
  const isMore = typeof amount.value === "string" && amountOf(amount) > 100;
  return faults(isMore && amount.invalid("must not be greater than 100%"));
}

/** The number of a count or percentage. */
export function amountOf(amount: Field): number {
  return amount.number || Number.parseInt(amount.text, 10) || 0;
}

/** Counts of a status: none below zero, no part greater than the whole. */
export function checkReplicaCounts(
  status: Field,
  parts: readonly string[],
  more: readonly string[],
): FieldError[] {
  const total = status.at("replicas").number;
  const available = status.at("availableReplicas");
  return faults(
    checkCounts(status, "replicas", ...parts, ...more),
    status.all(
      parts,
      (part) => part.number > total && part.invalid("cannot be greater than status.replicas"),
    ),
    available.number > status.at("readyReplicas").number &&
      available.invalid("cannot be greater than readyReplicas"),
  );
}
