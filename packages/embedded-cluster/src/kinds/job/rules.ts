import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import {
  ensureTree,
  equalNodes,
  inKeyOrder,
  isTrueAt,
  numberAt,
  semanticallyEqual,
  setDefault,
  stringAt,
  type Tree,
  treeAt,
} from "../../tree.ts";
import { checkCounts, checkLabelSelector, without } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkSelects } from "../../validate/workloads.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";

/** The rules of Jobs. Deleting one without a word leaves its pods, as ever in batch/v1. */
export const jobRules: KindRules = {
  generation: changesOf("spec"),
  dependents: "orphan",
  prepareCreate: makeSelector,
  check: checkJob,
  checkWholeUpdate: (job, old) => [...checkJob(job), ...checkFixed(job.at("spec"), old)],
  selectableFields: (job) => ({ "status.successful": String(numberAt(job, "status", "succeeded") ?? 0) }),
};

const labels = ["batch.kubernetes.io/controller-uid", "controller-uid"];

/** Jobs get a selector of their own, by the uid, unless they bring one. */
function makeSelector(job: Tree): void {
  const spec = ensureTree(job, "spec");
  const uid = stringAt(job, "metadata", "uid");
  const name = stringAt(job, "metadata", "name");
  if (isTrueAt(spec, "manualSelector")) {
    return;
  }
  const podLabels = ensureTree(ensureTree(ensureTree(spec, "template"), "metadata"), "labels");
  for (const label of labels) {
    podLabels[label] = uid;
  }
  podLabels["batch.kubernetes.io/job-name"] = name;
  podLabels["job-name"] = name;
  setDefault(ensureTree(job, "metadata"), "labels", { ...podLabels });
  if (treeAt(spec, "selector") === undefined) {
    spec["selector"] = {};
  }
  setDefault(
    ensureTree(ensureTree(spec, "selector"), "matchLabels"),
    "batch.kubernetes.io/controller-uid",
    uid,
  );
}

function checkJob(job: Field): FieldError[] {
  return [...checkJobSpec(job.at("spec")), ...checkSelector(job.at("spec"), job.at("metadata.uid").text)];
}

function checkSelector(spec: Field, uid: string): FieldError[] {
  const selector = spec.at("selector");
  return selector.isSet
    ? [...checkGenerated(spec, uid), ...checkLabelSelector(selector), ...checkSelects(spec)]
    : [selector.required()];
}

/** A selector that is made here is by the uid alone. */
function checkGenerated(spec: Field, uid: string): FieldError[] {
  const selector = spec.at("selector");
  const wanted = { matchLabels: { [labels[0] ?? ""]: uid } };
  const isGood = spec.at("manualSelector").isTrue || equalNodes(selector.tree, wanted);
  return faults(isGood || selector.invalid("`selector` not auto-generated", shown(selector.tree)));
}

/** A selector as Go shows it: labels in the order of the alphabet. */
function shown(selector: Tree): Tree {
  return { ...selector, matchLabels: inKeyOrder(treeAt(selector, "matchLabels") ?? {}) };
}

const counts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
];

/** The spec of a Job, also in the template of a CronJob. */
export function checkJobSpec(spec: Field): FieldError[] {
  return [
    ...checkCounts(spec, ...counts),
    ...checkMode(spec),
    ...spec.at("podFailurePolicy.rules").each(checkFailure),
    ...checkSuccess(spec),
    ...spec.at("podReplacementPolicy").check(),
    ...spec.at("managedBy").check(isDomainPath),
    ...checkPodTemplate(spec.at("template")),
    ...checkRestart(spec),
  ];
}

function isDomainPath(text: string): readonly string[] {
  return text.indexOf("/") > 0 ? [] : ['must be a domain-prefixed path (such as "acme.io/foo")'];
}

function checkFailure(rule: Field): FieldError[] {
  const hasReason = rule.at("onExitCodes").isSet || rule.at("onPodConditions").items.length > 0;
  const message = "Invalid value: specifying one of OnExitCodes and OnPodConditions is required";
  return faults(
    rule.at("action").check(),
    hasReason || { reason: "FieldValueInvalid", field: rule.path, message },
  );
}

/** Which indexes make a job a success is a question only where there are indexes. */
function checkSuccess(spec: Field): FieldError[] {
  const [policy, rules] = [spec.at("successPolicy"), spec.at("successPolicy.rules")];
  if (policy.isSet && !isIndexed(spec)) {
    return [policy.invalid("requires indexed completion mode")];
  }
  const why = "at least one rules must be specified when the successPolicy is specified";
  return faults(policy.isSet && rules.items.length === 0 && rules.required(why));
}

function isIndexed(spec: Field): boolean {
  return spec.at("completionMode").text === "Indexed";
}

function checkMode(spec: Field): FieldError[] {
  const [mode, completions] = [spec.at("completionMode"), spec.at("completions")];
  const perIndex = spec.at("backoffLimitPerIndex");
  return faults(
    mode.text === "" || mode.oneOf(["NonIndexed", "Indexed"]),
    isIndexed(spec) && !completions.isSet && completions.required("when completion mode is Indexed"),
    !isIndexed(spec) && perIndex.isSet && perIndex.invalid("requires indexed completion mode"),
  );
}

function checkRestart(spec: Field): FieldError[] {
  const policy = spec.at("template.spec.restartPolicy");
  switch (policy.text) {
    case "":
    case "Always":
      return [policy.required('valid values: "OnFailure", "Never"')];
    case "OnFailure":
      return faults(
        spec.at("podFailurePolicy").isSet &&
          policy.invalid('only "Never" is supported when podFailurePolicy is specified'),
      );
    default:
      return policy.oneOf(["OnFailure", "Never"]);
  }
}

const fixed = ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"];

function checkFixed(spec: Field, old: Field): FieldError[] {
  const before = old.at("spec");
  const same = (field: string): FieldError[] => spec.at(field).unchanged(before.at(field));
  return [
    ...(isIndexed(spec) ? checkIndexedCompletions(spec, before) : same("completions")),
    ...same("selector"),
    ...checkTemplate(spec.at("template"), old),
    ...fixed.flatMap(same),
  ];
}

function checkIndexedCompletions(spec: Field, before: Field): FieldError[] {
  const completions = spec.at("completions");
  const isGood = completions.equals(before.at("completions")) || completions.equals(spec.at("parallelism"));
  return faults(isGood || completions.invalid("can only be modified in tandem with spec.parallelism"));
}

/** The template is fixed; of a suspended job that never ran, where its pods may run is not. */
function checkTemplate(template: Field, old: Field): FieldError[] {
  const isOpen = old.at("spec.suspend").isTrue && !old.at("status.startTime").isSet;
  const [now, before] = [template.tree, old.at("spec.template").tree];
  const isSame = isOpen
    ? semanticallyEqual(withoutScheduling(now), withoutScheduling(before))
    : semanticallyEqual(now, before);
  return faults(isSame || template.invalid("field is immutable"));
}

function withoutScheduling(template: Tree): Tree {
  const spec = treeAt(template, "spec") ?? {};
  const fixedSpec = without(spec, "affinity", "nodeSelector", "tolerations", "schedulingGates");
  return { ...template, metadata: {}, spec: fixedSpec };
}
