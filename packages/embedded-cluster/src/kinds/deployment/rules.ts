import { type FieldError, faults, forbidden, invalid, required } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { numberAt, stringAt, type Tree, treeAt } from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import {
  amountOf,
  checkAmountOrPercent,
  checkAtMostAll,
  checkLastingTemplate,
  checkReplicaCounts,
  checkSameSelector,
  checkSelector,
  checkStrategyType,
} from "../../validate/workloads.ts";

/** The rules of Deployments. */
export const deploymentRules: KindRules = {
  generation: changesOf("spec", "metadata.annotations"),
  statusKeeps: [["metadata", "labels"]],
  check: checkDeployment,
  checkWholeUpdate: (deployment, old) => [
    ...checkDeployment(deployment),
    ...checkSameSelector(deployment, old),
  ],
  checkStatus: (deployment) =>
    checkReplicaCounts(
      treeAt(deployment, "status"),
      ["updatedReplicas", "readyReplicas", "availableReplicas"],
      ["observedGeneration", "unavailableReplicas", "collisionCount"],
    ),
};

function checkDeployment(deployment: Tree): FieldError[] {
  const spec = treeAt(deployment, "spec") ?? {};
  return [
    ...checkCounts("spec", spec, ["replicas"]),
    ...checkSelector(spec, "deployment"),
    ...checkLastingTemplate(spec, "ReplicaSet"),
    ...checkStrategy(treeAt(spec, "strategy")),
    ...checkCounts("spec", spec, ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"]),
    ...checkDeadline(spec),
  ];
}

function checkDeadline(spec: Tree): FieldError[] {
  const deadline = numberAt(spec, "progressDeadlineSeconds");
  return deadline !== undefined && deadline <= (numberAt(spec, "minReadySeconds") ?? 0)
    ? [invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")]
    : [];
}

const path = "spec.strategy.rollingUpdate";

function checkStrategy(strategy: Tree | undefined): FieldError[] {
  const rolling = treeAt(strategy, "rollingUpdate");
  switch (stringAt(strategy, "type")) {
    case "Recreate":
      return rolling === undefined
        ? []
        : [forbidden(path, "may not be specified when strategy `type` is 'Recreate'")];
    case "RollingUpdate":
      return rolling === undefined
        ? [required(path, "this should be defaulted and never be nil")]
        : checkRolling(rolling);
    default:
      return checkStrategyType("spec.strategy", strategy, ["Recreate", "RollingUpdate"]);
  }
}

function checkRolling(rolling: Tree): FieldError[] {
  const { maxUnavailable, maxSurge } = rolling;
  const isStuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  return faults(
    checkAmountOrPercent(`${path}.maxUnavailable`, maxUnavailable),
    checkAmountOrPercent(`${path}.maxSurge`, maxSurge),
    isStuck && invalid(`${path}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0"),
    checkAtMostAll(`${path}.maxUnavailable`, maxUnavailable),
  );
}
