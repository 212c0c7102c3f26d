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
import type { Kind } from "../kind.ts";
import { cronJobRules } from "./rules.ts";

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
  rules: cronJobRules,
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
