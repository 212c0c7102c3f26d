/** What the specs of workloads have in common. */
import { labelSelectorOf } from "@weir/kube";
import { type FieldError, faults, forbidden, invalid, notSupported, required } from "../field-errors.ts";
import { checkPodTemplate } from "../kinds/pod/validate/pod-spec.ts";
import {
  equalNodes,
  inKeyOrder,
  nodeAt,
  numberAt,
  stringAt,
  stringMapAt,
  type Tree,
  type TreeNode,
  treeAt,
} from "../tree.ts";
import { checkCounts, checkLabelSelector, checkNonNegative, checkText, isEmptySelector } from "./checks.ts";
import { percent } from "./text-rules.ts";

/** A selector that must be there and select something; `kind` stands in the message. */
export function checkSelector(spec: Tree, kind: string): FieldError[] {
  const selector = treeAt(spec, "selector");
  if (selector === undefined) {
    return [required("spec.selector")];
  }
  return faults(
    checkLabelSelector("spec.selector", selector),
    isEmptySelector(selector) && invalid("spec.selector", selector, `empty selector is invalid for ${kind}`),
  );
}

/** A template of pods that run for ever, selected by the workload's selector. */
export function checkLastingTemplate(spec: Tree, kind: string): FieldError[] {
  const template = treeAt(spec, "template") ?? {};
  return [
    ...checkSelects(spec, template),
    ...checkPodTemplate("spec.template", template),
    ...checkLastingSpec(template, kind),
  ];
}

/** Pods of lasting workloads restart always and have no deadline. */
export function checkLastingSpec(template: Tree, kind: string): FieldError[] {
  const policy = stringAt(template, "spec", "restartPolicy");
  const path = "spec.template.spec";
  return faults(
    policy === "Always" || notSupported(`${path}.restartPolicy`, policy, ["Always"]),
    nodeAt(template, "spec", "activeDeadlineSeconds") === undefined ||
      forbidden(`${path}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`),
  );
}

/** The selector must select the pods of the template. */
export function checkSelects(spec: Tree, template: Tree): FieldError[] {
  const selector = treeAt(spec, "selector");
  const labels = treeAt(template, "metadata", "labels");
  if (selector !== undefined && !isReadable(selector)) {
    return [invalid("spec.selector", selector, "invalid label selector")];
  }
  if (selector !== undefined && (isEmptySelector(selector) || selects(selector, template))) {
    return [];
  }
  const why = "`selector` does not match template `labels`";
  const shown = labels === undefined ? null : inKeyOrder(labels);
  return [invalid("spec.template.metadata.labels", shown, why)];
}

function isReadable(selector: Tree): boolean {
  try {
    labelSelectorOf(selector);
    return true;
  } catch {
    return false;
  }
}

/** True where a selector selects pods of a template; also where the selector is no good, which is said elsewhere. */
export function selects(selector: Tree, template: Tree): boolean {
  try {
    return labelSelectorOf(selector)(Object.fromEntries(stringMapAt(template, "metadata", "labels")));
  } catch {
    return true;
  }
}

/** A selector never changes. */
export function checkSameSelector(object: Tree, old: Tree): FieldError[] {
  const selector = nodeAt(object, "spec", "selector");
  return equalNodes(selector, nodeAt(old, "spec", "selector"))
    ? []
    : [invalid("spec.selector", selector ?? null, "field is immutable")];
}

/** A count or a percentage. */
export function checkAmountOrPercent(path: string, value: TreeNode | undefined): FieldError[] {
  return typeof value === "string" ? checkText(path, value, percent) : checkNonNegative(path, value);
}

/** A percentage is at most 100. */
export function checkAtMostAll(path: string, value: TreeNode | undefined): FieldError[] {
  return amountOf(value) > 100 && typeof value === "string"
    ? [invalid(path, value, "must not be greater than 100%")]
    : [];
}

/** The number of a count or percentage. */
export function amountOf(value: TreeNode | undefined): number {
  return typeof value === "number"
    ? value
    : Number.parseInt(typeof value === "string" ? value : "0", 10) || 0;
}

/** Counts of a status: none below zero, no part greater than the whole. */
export function checkReplicaCounts(
  status: Tree | undefined,
  parts: readonly string[],
  more: readonly string[],
): FieldError[] {
  const total = numberAt(status, "replicas") ?? 0;
  const ready = numberAt(status, "readyReplicas") ?? 0;
  const available = numberAt(status, "availableReplicas") ?? 0;
  return faults(
    checkCounts("status", status, ["replicas", ...parts, ...more]),
    parts.flatMap((part) => {
      const count = numberAt(status, part) ?? 0;
      return count > total
        ? [invalid(`status.${part}`, count, "cannot be greater than status.replicas")]
        : [];
    }),
    available > ready &&
      invalid("status.availableReplicas", available, "cannot be greater than readyReplicas"),
  );
}

/** A word of a field that must be one of some, with the whole object in the message. */
export function checkStrategyType(
  path: string,
  strategy: Tree | undefined,
  known: readonly string[],
): FieldError[] {
  return known.includes(stringAt(strategy, "type")) ? [] : [notSupported(path, strategy ?? null, known)];
}
