import { printHumanDuration } from "../../base/human-duration.ts";
import { isTrueAt, listAt, nodeAt, numberAt, stringAt, type Tree, type TreeNode, treesAt } from "../tree.ts";
import type { Cells } from "./cell-text.ts";
import { ageOf, containerCells, isGoodSelector, printAge, printLabels, printSelector } from "./cell-text.ts";

/** The cells of workloads. */
export const workloadCells: Readonly<Record<string, Cells>> = {
  "deployments.apps": (object, now) => [
    name(object),
    `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
    count(object, "status", "updatedReplicas"),
    count(object, "status", "availableReplicas"),
    ageOf(object, now),
    ...containersOf(object),
    isGoodSelector(nodeAt(object, "spec", "selector")) ? selectorOf(object) : "<invalid>",
  ],
  "replicasets.apps": replicaCells,
  replicationcontrollers: (object, now) => [
    ...replicaCells(object, now).slice(0, -1),
    printLabels(object, "spec", "selector"),
  ],
  "statefulsets.apps": (object, now) => [
    name(object),
    `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
    ageOf(object, now),
    ...containersOf(object),
  ],
  "daemonsets.apps": (object, now) => [
    name(object),
    count(object, "status", "desiredNumberScheduled"),
    count(object, "status", "currentNumberScheduled"),
    count(object, "status", "numberReady"),
    count(object, "status", "updatedNumberScheduled"),
    count(object, "status", "numberAvailable"),
    printLabels(object, "spec", "template", "spec", "nodeSelector"),
    ageOf(object, now),
    ...containersOf(object),
    selectorOf(object) || "<none>",
  ],
  "jobs.batch": (object, now) => [
    name(object),
    jobStatus(object),
    jobCompletions(object),
    jobDuration(object, now),
    ageOf(object, now),
    ...containersOf(object),
    selectorOf(object) || "<none>",
  ],
  "cronjobs.batch": (object, now) => [
    name(object),
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
  "controllerrevisions.apps": (object, now) => [
    name(object),
    controllerName(object),
    numberAt(object, "revision") ?? 0,
    ageOf(object, now),
  ],
  podtemplates: (object) => [
    name(object),
    ...containerCells(treesAt(object, "template", "spec", "containers")),
    printLabels(object, "template", "metadata", "labels"),
  ],
};

function replicaCells(object: Tree, now: number): TreeNode[] {
  return [
    name(object),
    count(object, "spec", "replicas"),
    count(object, "status", "replicas"),
    count(object, "status", "readyReplicas"),
    ageOf(object, now),
    ...containersOf(object),
    selectorOf(object) || "<none>",
  ];
}

function name(object: Tree): string {
  return stringAt(object, "metadata", "name");
}

function count(object: Tree, ...path: readonly string[]): number {
  return numberAt(object, ...path) ?? 0;
}

function containersOf(object: Tree): readonly string[] {
  return containerCells(treesAt(object, "spec", "template", "spec", "containers"));
}

function selectorOf(object: Tree): string {
  return printSelector(nodeAt(object, "spec", "selector"));
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

function controllerName(object: Tree): string {
  const owner = treesAt(object, "metadata", "ownerReferences").find((one) => one["controller"] === true);
  if (owner === undefined) {
    return "<none>";
  }
  const [group = ""] = stringAt(owner, "apiVersion").split("/");
  const kind = stringAt(owner, "kind").toLowerCase();
  return `${stringAt(owner, "apiVersion").includes("/") ? `${kind}.${group}` : kind}/${stringAt(owner, "name")}`;
}
