import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkJobSpec } from "../job/rules.ts";
import { isTimeZone, parseSchedule } from "./cron.ts";

/** The rules of CronJobs. */
export const cronJobRules: KindRules = {
  generation: changesOf("spec"),
  check: (job) => [...checkCronJobSpec(job), ...checkName(job.at("metadata.name"))],
  checkWholeUpdate: checkCronJobSpec,
};

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
