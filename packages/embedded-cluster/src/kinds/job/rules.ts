import { type FieldError, faults, invalid, notSupported, required } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import {
  ensureTree,
  equalNodes,
  inKeyOrder,
  isTrueAt,
  nodeAt,
  numberAt,
  semanticallyEqual,
  setDefault,
  stringAt,
  type Tree,
  treeAt,
  treesAt,
} from "../../tree.ts";
import {
  below,
  checkChoice,
  checkCounts,
  checkEach,
  checkEnum,
  checkLabelSelector,
  checkUnchanged,
} from "../../validate/checks.ts";
import { checkSelects } from "../../validate/workloads.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";

/** The rules of Jobs. Deleting one without a word leaves its pods, as ever in batch/v1. */
export const jobRules: KindRules = {
  generation: changesOf("spec"),
  dependents: "orphan",
  prepareCreate: makeSelector,
  check: (job) => [...checkJobSpec("spec", treeAt(job, "spec") ?? {}), ...checkSelector(job)],
  checkWholeUpdate: (job, old) => [
    ...checkJobSpec("spec", treeAt(job, "spec") ?? {}),
    ...checkSelector(job),
    ...checkFixed(job, old),
  ],
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

function checkSelector(job: Tree): FieldError[] {
  const spec = treeAt(job, "spec") ?? {};
  const selector = treeAt(spec, "selector");
  if (selector === undefined) {
    return [required("spec.selector")];
  }
  return [
    ...checkGenerated(job, spec, selector),
    ...checkLabelSelector("spec.selector", selector),
    ...checkSelects(spec, treeAt(spec, "template") ?? {}),
  ];
}

/** A selector that is made here is by the uid alone. */
function checkGenerated(job: Tree, spec: Tree, selector: Tree): FieldError[] {
  const wanted = { matchLabels: { [labels[0] ?? ""]: stringAt(job, "metadata", "uid") } };
  return isTrueAt(spec, "manualSelector") || equalNodes(selector, wanted)
    ? []
    : [invalid("spec.selector", shown(selector), "`selector` not auto-generated")];
}

/** A selector as Go shows it: labels in the order of the alphabet. */
function shown(selector: Tree): Tree {
  return { ...selector, matchLabels: inKeyOrder(treeAt(selector, "matchLabels") ?? {}) };
}

/** The spec of a Job, also in the template of a CronJob. */
export function checkJobSpec(path: string, spec: Tree): FieldError[] {
  return [
    ...checkCounts(path, spec, [
      "parallelism",
      "completions",
      "activeDeadlineSeconds",
      "backoffLimit",
      "ttlSecondsAfterFinished",
      "backoffLimitPerIndex",
    ]),
    ...checkMode(path, spec),
    ...checkPolicies(path, spec),
    ...checkPodTemplate(below(path, "template"), treeAt(spec, "template") ?? {}),
    ...checkRestart(below(path, "template.spec.restartPolicy"), spec),
  ];
}

function checkPolicies(path: string, spec: Tree): FieldError[] {
  const managedBy = stringAt(spec, "managedBy");
  return faults(
    checkEach(
      below(path, "podFailurePolicy.rules"),
      treesAt(spec, "podFailurePolicy", "rules"),
      checkFailure,
    ),
    checkSuccess(path, spec),
    checkEnum(path, spec, "batch.v1.JobSpec.podReplacementPolicy"),
    managedBy === "" ||
      managedBy.indexOf("/") > 0 ||
      invalid(below(path, "managedBy"), managedBy, 'must be a domain-prefixed path (such as "acme.io/foo")'),
  );
}

function checkFailure(path: string, rule: Tree): FieldError[] {
  const hasReason = treeAt(rule, "onExitCodes") !== undefined || treesAt(rule, "onPodConditions").length > 0;
  const why = "specifying one of OnExitCodes and OnPodConditions is required";
  return faults(
    checkEnum(path, rule, "batch.v1.PodFailurePolicyRule.action"),
    hasReason || { reason: "FieldValueInvalid", field: path, message: `Invalid value: ${why}` },
  );
}

/** Which indexes make a job a success is a question only where there are indexes. */
function checkSuccess(path: string, spec: Tree): FieldError[] {
  const policy = treeAt(spec, "successPolicy");
  const at = below(path, "successPolicy");
  if (policy === undefined) {
    return [];
  }
  if (stringAt(spec, "completionMode") !== "Indexed") {
    return [invalid(at, policy, "requires indexed completion mode")];
  }
  return treesAt(policy, "rules").length === 0
    ? [
        required(
          below(at, "rules"),
          "at least one rules must be specified when the successPolicy is specified",
        ),
      ]
    : [];
}

function checkMode(path: string, spec: Tree): FieldError[] {
  const mode = stringAt(spec, "completionMode");
  const perIndex = nodeAt(spec, "backoffLimitPerIndex");
  return faults(
    mode === "" || checkChoice(below(path, "completionMode"), mode, ["NonIndexed", "Indexed"]),
    mode === "Indexed" &&
      nodeAt(spec, "completions") === undefined &&
      required(below(path, "completions"), "when completion mode is Indexed"),
    mode !== "Indexed" &&
      perIndex !== undefined &&
      invalid(below(path, "backoffLimitPerIndex"), perIndex, "requires indexed completion mode"),
  );
}

function checkRestart(path: string, spec: Tree): FieldError[] {
  const policy = stringAt(spec, "template", "spec", "restartPolicy");
  if (policy === "Always" || policy === "") {
    return [required(path, 'valid values: "OnFailure", "Never"')];
  }
  if (policy !== "OnFailure" && policy !== "Never") {
    return [notSupported(path, policy, ["OnFailure", "Never"])];
  }
  return nodeAt(spec, "podFailurePolicy") !== undefined && policy !== "Never"
    ? [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}

function checkFixed(job: Tree, old: Tree): FieldError[] {
  const same = (field: string): FieldError[] =>
    checkUnchanged(`spec.${field}`, nodeAt(job, "spec", field), nodeAt(old, "spec", field));
  const isIndexed = stringAt(job, "spec", "completionMode") === "Indexed";
  return [
    ...(isIndexed ? checkIndexedCompletions(job, old) : same("completions")),
    ...same("selector"),
    ...checkTemplate(job, old),
    ...["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"].flatMap(
      same,
    ),
  ];
}

function checkIndexedCompletions(job: Tree, old: Tree): FieldError[] {
  const completions = nodeAt(job, "spec", "completions");
  const isSame = equalNodes(completions, nodeAt(old, "spec", "completions"));
  return isSame || completions === nodeAt(job, "spec", "parallelism")
    ? []
    : [
        invalid(
          "spec.completions",
          completions ?? null,
          "can only be modified in tandem with spec.parallelism",
        ),
      ];
}

const schedulingFields = ["affinity", "nodeSelector", "tolerations", "schedulingGates"];

/** The template is fixed; of a suspended job that never ran, where its pods may run is not. */
function checkTemplate(job: Tree, old: Tree): FieldError[] {
  const template = nodeAt(job, "spec", "template");
  const before = nodeAt(old, "spec", "template");
  const isOpen = isTrueAt(old, "spec", "suspend") && nodeAt(old, "status", "startTime") === undefined;
  const view = (one: Tree | undefined): Tree => (isOpen ? withoutScheduling(one) : (one ?? {}));
  return semanticallyEqual(view(treeAt(template)), view(treeAt(before)))
    ? []
    : [invalid("spec.template", template ?? null, "field is immutable")];
}

function withoutScheduling(template: Tree | undefined): Tree {
  const spec = Object.entries(treeAt(template, "spec") ?? {}).filter(
    ([field]) => !schedulingFields.includes(field),
  );
  return { ...template, metadata: {}, spec: Object.fromEntries(spec) };
}
