import { printHumanDuration } from "@weir/base";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { containersOf, count, selectorOf } from "../../tables/workload-cells.ts";
import { numberAt, stringAt, type Tree, treesAt } from "../../tree.ts";

/** The cells of Jobs. */
export const jobCells: Cells = (object, now) => [
  nameOf(object),
  jobStatus(object),
  jobCompletions(object),
  jobDuration(object, now),
  ageOf(object, now),
  ...containersOf(object),
  selectorOf(object) || "<none>",
];

function jobStatus(job: Tree): string {
  const has = (type: string): boolean =>
    treesAt(job, "status", "conditions").some(
      (condition) => condition["type"] === type && condition["status"] === "True",
    );
  if (has("Complete") || has("Failed")) {
    return has("Complete") ? "Complete" : "Failed";
  }
  if (stringAt(job, "metadata", "deletionTimestamp") !== "") {
    return "Terminating";
  }
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

function jobCompletions(job: Tree): string {
  const succeeded = count(job, "status", "succeeded");
  const completions = numberAt(job, "spec", "completions");
  const parallelism = count(job, "spec", "parallelism");
  if (completions !== undefined) {
    return `${succeeded}/${completions}`;
  }
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: Tree, now: number): string {
  const start = Date.parse(stringAt(job, "status", "startTime"));
  const end = Date.parse(stringAt(job, "status", "completionTime"));
  return Number.isNaN(start) ? "" : printHumanDuration((Number.isNaN(end) ? now : end) - start);
}
