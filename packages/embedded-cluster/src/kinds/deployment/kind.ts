import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf } from "../../resources/kind-rules.ts";
import { ageOf, isGoodSelector, nameOf } from "../../tables/cell-text.ts";
import { containersOf, count, selectorOf } from "../../tables/workload-cells.ts";
import { ensureTree, nodeAt, setDefault, type Tree } from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import {
  amountOf,
  checkAmountOrPercent,
  checkAtMostAll,
  checkLastingTemplate,
  checkReplicaCounts,
  checkSelector,
} from "../../validate/workloads.ts";
import type { Kind } from "../kind.ts";

function checkDeployment(deployment: Field): FieldError[] {
  const spec = deployment.at("spec");
  return [
    ...checkCounts(spec, "replicas"),
    ...checkSelector(spec.at("selector"), "deployment"),
    ...checkLastingTemplate(spec, "ReplicaSet"),
    ...checkStrategy(spec.at("strategy")),
    ...checkCounts(spec, "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"),
    ...checkDeadline(spec),
  ];
}

function checkDeadline(spec: Field): FieldError[] {
  const deadline = spec.at("progressDeadlineSeconds");
  const isShort = deadline.isSet && deadline.number <= spec.at("minReadySeconds").number;
  return faults(isShort && deadline.invalid("must be greater than minReadySeconds"));
}

function checkStrategy(strategy: Field): FieldError[] {
  const rolling = strategy.at("rollingUpdate");
  switch (strategy.at("type").text) {
    case "Recreate":
      return faults(
        rolling.isSet && rolling.forbidden("may not be specified when strategy `type` is 'Recreate'"),
      );
    case "RollingUpdate":
      return rolling.isSet
        ? checkRolling(rolling)
        : [rolling.required("this should be defaulted and never be nil")];
    default:
      return [strategy.notSupported(["Recreate", "RollingUpdate"])];
  }
}

function checkRolling(rolling: Field): FieldError[] {
  const [unavailable, surge] = [rolling.at("maxUnavailable"), rolling.at("maxSurge")];
  const isStuck = amountOf(unavailable) === 0 && amountOf(surge) === 0;
  return faults(
    checkAmountOrPercent(unavailable),
    checkAmountOrPercent(surge),
    isStuck && unavailable.invalid("may not be 0 when `maxSurge` is 0"),
    checkAtMostAll(unavailable),
  );
}

function defaultDeployment(deployment: Tree): void {
  const spec = ensureTree(deployment, "spec");
  const strategy = ensureTree(spec, "strategy");
  setDefault(spec, "replicas", 1);
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    const rolling = ensureTree(strategy, "rollingUpdate");
    setDefault(rolling, "maxUnavailable", "25%");
    setDefault(rolling, "maxSurge", "25%");
  }
  setDefault(spec, "revisionHistoryLimit", 10);
  setDefault(spec, "progressDeadlineSeconds", 600);
}

/** Deployments. */
export const deployment: Kind = {
  bucket: "deployments.apps",
  rules: {
    generation: changesOf("spec", "metadata.annotations"),
    statusKeeps: [["metadata", "labels"]],
    check: checkDeployment,
    checkWholeUpdate: (deployment, old) => [
      ...checkDeployment(deployment),
      ...deployment.at("spec.selector").unchanged(old.at("spec.selector")),
    ],
    checkStatus: (deployment) =>
      checkReplicaCounts(
        deployment.at("status"),
        ["updatedReplicas", "readyReplicas", "availableReplicas"],
        ["observedGeneration", "unavailableReplicas", "collisionCount"],
      ),
  },
  defaults: {
    "io.k8s.api.apps.v1.Deployment": defaultDeployment,
  },
  cells: (object, now) => [
    nameOf(object),
    `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
    count(object, "status", "updatedReplicas"),
    count(object, "status", "availableReplicas"),
    ageOf(object, now),
    ...containersOf(object),
    isGoodSelector(nodeAt(object, "spec", "selector")) ? selectorOf(object) : "<invalid>",
  ],
};
