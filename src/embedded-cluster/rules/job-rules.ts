import { isTimeZone, parseSchedule } from "../cron.ts";
import { type FieldError, invalid, notSupported, required } from "../field-errors.ts";
import { changesOf, type KindRules } from "../resources/kind-rules.ts";
import {
  ensureTree,
  equalNodes,
  isTrueAt,
  nodeAt,
  numberAt,
  semanticallyEqual,
  setDefault,
  stringAt,
  type Tree,
  treeAt,
} from "../tree.ts";
import { below, checkChoice, checkCounts, checkLabelSelector, checkUnchanged } from "../validate/checks.ts";
import { checkPodTemplate } from "../validate/pod-spec.ts";
import { checkSelects } from "../validate/workloads.ts";

/** The rules of Jobs. Deleting one without a word leaves its pods, as ever in batch/v1. */
export const jobRules: KindRules = {
  generation: changesOf("spec"),
  dependents: "orphan",
  prepareCreate: makeSelector,
  check: (job) => [
    ...checkJobSpec("spec", treeAt(job, "spec") ?? {}),
    ...checkSelector(treeAt(job, "spec") ?? {}),
  ],
  checkWholeUpdate: (job, old) => [
    ...checkJobSpec("spec", treeAt(job, "spec") ?? {}),
    ...checkSelector(treeAt(job, "spec") ?? {}),
    ...checkFixed(job, old),
  ],
  selectableFields: (job) => ({ "status.successful": String(numberAt(job, "status", "succeeded") ?? 0) }),
};

/** The rules of CronJobs. */
export const cronJobRules: KindRules = {
  generation: changesOf("spec"),
  check: checkCronJob,
  checkWholeUpdate: checkCronJobSpec,
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

function checkSelector(spec: Tree): FieldError[] {
  const selector = treeAt(spec, "selector");
  if (selector === undefined) {
    return [required("spec.selector")];
  }
  return [
    ...checkLabelSelector("spec.selector", selector),
    ...checkSelects(spec, treeAt(spec, "template") ?? {}),
  ];
}

function checkJobSpec(path: string, spec: Tree): FieldError[] {
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
    ...checkPodTemplate(below(path, "template"), treeAt(spec, "template") ?? {}),
    ...checkRestart(below(path, "template.spec.restartPolicy"), spec),
  ];
}

function checkMode(path: string, spec: Tree): FieldError[] {
  const mode = stringAt(spec, "completionMode");
  const perIndex = nodeAt(spec, "backoffLimitPerIndex");
  return [
    ...(mode === "" ? [] : checkChoice(below(path, "completionMode"), mode, ["NonIndexed", "Indexed"])),
    ...(mode === "Indexed" && nodeAt(spec, "completions") === undefined
      ? [required(below(path, "completions"), "when completion mode is Indexed")]
      : []),
    ...(mode !== "Indexed" && perIndex !== undefined
      ? [invalid(below(path, "backoffLimitPerIndex"), perIndex, "requires indexed completion mode")]
      : []),
  ];
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

/** A job's name is the cron job's and eleven characters more. */
const maxCronJobName = 52;

function checkCronJob(job: Tree): FieldError[] {
  const name = stringAt(job, "metadata", "name");
  return [
    ...checkCronJobSpec(job),
    ...(name.length > maxCronJobName
      ? [invalid("metadata.name", name, "must be no more than 52 characters")]
      : []),
  ];
}

function checkCronJobSpec(job: Tree): FieldError[] {
  const spec = treeAt(job, "spec") ?? {};
  const template = treeAt(spec, "jobTemplate", "spec") ?? {};
  const selector = nodeAt(template, "selector");
  return [
    ...checkSchedule(stringAt(spec, "schedule")),
    ...checkCounts("spec", spec, ["startingDeadlineSeconds"]),
    ...checkTimeZone(nodeAt(spec, "timeZone")),
    ...checkChoice("spec.concurrencyPolicy", stringAt(spec, "concurrencyPolicy"), [
      "Allow",
      "Forbid",
      "Replace",
    ]),
    ...checkJobSpec("spec.jobTemplate.spec", template),
    ...(selector === undefined
      ? []
      : [invalid("spec.jobTemplate.spec.selector", selector, "`selector` will be auto-generated")]),
    ...(isTrueAt(template, "manualSelector")
      ? [notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"])]
      : []),
    ...checkCounts("spec", spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]),
  ];
}

function checkSchedule(schedule: string): FieldError[] {
  if (schedule === "") {
    return [required("spec.schedule")];
  }
  const parsed = parseSchedule(schedule);
  return [
    ...("fault" in parsed ? [invalid("spec.schedule", schedule, parsed.fault)] : []),
    ...(schedule.includes("TZ")
      ? [
          invalid(
            "spec.schedule",
            schedule,
            "cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
          ),
        ]
      : []),
  ];
}

function checkTimeZone(zone: Tree[string]): FieldError[] {
  if (typeof zone !== "string") {
    return [];
  }
  if (zone === "") {
    return [invalid("spec.timeZone", zone, "timeZone must be nil or non-empty string")];
  }
  return isTimeZone(zone) ? [] : [invalid("spec.timeZone", zone, `unknown time zone ${zone}`)];
}
