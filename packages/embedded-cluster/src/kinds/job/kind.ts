import { printHumanDuration } from "@weir/base";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { containersOf, count, selectorOf } from "../../tables/workload-cells.ts";
import { ensureTree, numberAt, setDefault, stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import { maxInt32 } from "../../validate/checks.ts";
import type { Kind } from "../kind.ts";
import { jobRules } from "./rules.ts";

function defaultJob(job: Tree): void {
  const spec = ensureTree(job, "spec");
  if (spec["completions"] === undefined && spec["parallelism"] === undefined) {
    spec["completions"] = 1;
  }
  setDefault(spec, "parallelism", 1);
  setDefault(spec, "backoffLimit", spec["backoffLimitPerIndex"] === undefined ? 6 : maxInt32);
  const labels = treeAt(spec, "template", "metadata", "labels");
  if (labels !== undefined) {
    setDefault(ensureTree(job, "metadata"), "labels", { ...labels });
  }
  setDefault(spec, "completionMode", "NonIndexed");
  setDefault(spec, "suspend", false);
  setDefault(
    spec,
    "podReplacementPolicy",
    spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
  );
  setDefault(spec, "manualSelector", false);
}

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

/** Jobs. */
export const job: Kind = {
  bucket: "jobs.batch",
  rules: jobRules,
  defaults: {
    "io.k8s.api.batch.v1.Job": defaultJob,
    "io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern": (pattern) =>
      setDefault(pattern, "status", "True"),
  },
  cells: (object, now) => [
    nameOf(object),
    jobStatus(object),
    jobCompletions(object),
    jobDuration(object, now),
    ageOf(object, now),
    ...containersOf(object),
    selectorOf(object) || "<none>",
  ],
};
