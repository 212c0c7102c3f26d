import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf } from "../../resources/kind-rules.ts";
import { ageOf, containerCells, nameOf, printAge, printSelector } from "../../tables/cell-text.ts";
import {
  ensureTree,
  isTrueAt,
  listAt,
  nodeAt,
  setDefault,
  stringAt,
  type Tree,
  treesAt,
} from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkJobSpec } from "../job/rules.ts";
import type { Kind } from "../kind.ts";
import { isTimeZone, parseSchedule } from "./cron.ts";

/** A job's name is the cron job's and eleven characters more. */
function checkName(name: Field): FieldError[] {
  return faults(name.text.length > 52 && name.invalid("must be no more than 52 characters"));
}

function checkCronJobSpec(job: Field): FieldError[] {
  const spec = job.at("spec");
  const template = spec.at("jobTemplate.spec");
  const [selector, manual] = [template.at("selector"), template.at("manualSelector")];
  return faults(
    spec.at("schedule").check(isSchedule),
    checkCounts(spec, "startingDeadlineSeconds"),
    checkTimeZone(spec.at("timeZone")),
    spec.at("concurrencyPolicy").check(),
    checkJobSpec(template),
    selector.isSet && selector.invalid("`selector` will be auto-generated"),
    manual.isTrue && manual.notSupported(["nil", "false"]),
    checkCounts(spec, "successfulJobsHistoryLimit", "failedJobsHistoryLimit"),
  );
}

function isSchedule(schedule: string): readonly string[] {
  const parsed = parseSchedule(schedule);
  return [
    ...("fault" in parsed ? [parsed.fault] : []),
    ...(schedule.includes("TZ") ? ["cannot use TZ or CRON_TZ in schedule, use timeZone field instead"] : []),
  ];
}

function checkTimeZone(zone: Field): FieldError[] {
  return zone.isSet ? zone.follows(isZone) : [];
}

function isZone(zone: string): readonly string[] {
  if (zone === "") {
    return ["timeZone must be nil or non-empty string"];
  }
  if (zone.toLowerCase() === "local") {
    return ["timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"];
  }
  return isTimeZone(zone) ? [] : [`unknown time zone ${zone}`];
}

function defaultCronJob(job: Tree): void {
  const spec = ensureTree(job, "spec");
  setDefault(spec, "concurrencyPolicy", "Allow");
  setDefault(spec, "suspend", false);
  setDefault(spec, "successfulJobsHistoryLimit", 3);
  setDefault(spec, "failedJobsHistoryLimit", 1);
}

/** CronJobs. */
export const cronJob: Kind = {
  bucket: "cronjobs.batch",
  rules: {
    generation: changesOf("spec"),
    check: (job) => [...checkCronJobSpec(job), ...checkName(job.at("metadata.name"))],
    checkWholeUpdate: checkCronJobSpec,
  },
  defaults: {
    "io.k8s.api.batch.v1.CronJob": defaultCronJob,
  },
  cells: (object, now) => [
    nameOf(object),
    stringAt(object, "spec", "schedule"),
    stringAt(object, "spec", "timeZone") || "<none>",
    nodeAt(object, "spec", "suspend") === undefined
      ? "<unset>"
      : isTrueAt(object, "spec", "suspend")
        ? "True"
        : "False",
    listAt(object, "status", "active").length,
    nodeAt(object, "status", "lastScheduleTime") === undefined
      ? "<none>"
      : printAge(nodeAt(object, "status", "lastScheduleTime"), now),
    ageOf(object, now),
    ...containerCells(treesAt(object, "spec", "jobTemplate", "spec", "template", "spec", "containers")),
    printSelector(nodeAt(object, "spec", "jobTemplate", "spec", "selector")) || "<none>",
  ],
};
