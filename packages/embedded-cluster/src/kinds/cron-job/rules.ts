import { type FieldError, faults, invalid, notSupported, required } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { isTrueAt, nodeAt, stringAt, type Tree, treeAt } from "../../tree.ts";
import { checkCounts, checkEnum } from "../../validate/checks.ts";
import { checkJobSpec } from "../job/rules.ts";
import { isTimeZone, parseSchedule } from "./cron.ts";

/** The rules of CronJobs. */
export const cronJobRules: KindRules = {
  generation: changesOf("spec"),
  check: checkCronJob,
  checkWholeUpdate: checkCronJobSpec,
};

/** A job's name is the cron job's and eleven characters more. */
const maxCronJobName = 52;

function checkCronJob(job: Tree): FieldError[] {
  const name = stringAt(job, "metadata", "name");
  return faults(
    checkCronJobSpec(job),
    name.length > maxCronJobName && invalid("metadata.name", name, "must be no more than 52 characters"),
  );
}

function checkCronJobSpec(job: Tree): FieldError[] {
  const spec = treeAt(job, "spec") ?? {};
  const template = treeAt(spec, "jobTemplate", "spec") ?? {};
  const selector = nodeAt(template, "selector");
  return faults(
    checkSchedule(stringAt(spec, "schedule")),
    checkCounts("spec", spec, ["startingDeadlineSeconds"]),
    checkTimeZone(nodeAt(spec, "timeZone")),
    checkEnum("spec", spec, "batch.v1.CronJobSpec.concurrencyPolicy"),
    checkJobSpec("spec.jobTemplate.spec", template),
    selector === undefined ||
      invalid("spec.jobTemplate.spec.selector", selector, "`selector` will be auto-generated"),
    isTrueAt(template, "manualSelector") &&
      notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"]),
    checkCounts("spec", spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]),
  );
}

function checkSchedule(schedule: string): FieldError[] {
  if (schedule === "") {
    return [required("spec.schedule")];
  }
  const parsed = parseSchedule(schedule);
  return faults(
    "fault" in parsed && invalid("spec.schedule", schedule, parsed.fault),
    schedule.includes("TZ") &&
      invalid("spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"),
  );
}

function checkTimeZone(zone: Tree[string]): FieldError[] {
  if (typeof zone !== "string") {
    return [];
  }
  if (zone === "") {
    return [invalid("spec.timeZone", zone, "timeZone must be nil or non-empty string")];
  }
  if (zone.toLowerCase() === "local") {
    const why = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    return [invalid("spec.timeZone", zone, why)];
  }
  return isTimeZone(zone) ? [] : [invalid("spec.timeZone", zone, `unknown time zone ${zone}`)];
}
