import { type FieldError, faults, forbidden, invalid, notSupported, required } from "../../field-errors.ts";
import { numberAt, stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import { below, checkEach, checkRequiredText } from "../../validate/checks.ts";
import { pathSegment } from "../../validate/text-rules.ts";
import { checkMetric } from "./validate-metrics.ts";

/** The spec of a HorizontalPodAutoscaler in the form of autoscaling/v2. */
export function checkAutoscaler(autoscaler: Tree): FieldError[] {
  const spec = treeAt(autoscaler, "spec") ?? {};
  const path = "spec.scaleTargetRef";
  const target = treeAt(spec, "scaleTargetRef");
  return faults(
    checkBounds(numberAt(spec, "minReplicas"), numberAt(spec, "maxReplicas") ?? 0),
    checkRequiredText(below(path, "kind"), stringAt(target, "kind"), pathSegment),
    checkRequiredText(below(path, "name"), stringAt(target, "name"), pathSegment),
    stringAt(target, "apiVersion") === "" &&
      stringAt(target, "kind") !== "ReplicationController" &&
      invalid(below(path, "apiVersion"), "", "apiVersion must specify API group"),
    checkEach("spec.metrics", treesAt(spec, "metrics"), checkMetric),
    checkScalingToZero(spec),
    ["scaleUp", "scaleDown"].flatMap((direction) =>
      checkRules(`spec.behavior.${direction}`, treeAt(spec, "behavior", direction)),
    ),
  );
}

function checkBounds(least: number | undefined, most: number): FieldError[] {
  const path = "spec.maxReplicas";
  return faults(
    least !== undefined &&
      least < 1 &&
      invalid("spec.minReplicas", least, "must be greater than or equal to 1"),
    most < 1 && invalid(path, most, "must be greater than 0"),
    least !== undefined &&
      most < least &&
      invalid(path, most, "must be greater than or equal to `minReplicas`"),
  );
}

function checkScalingToZero(spec: Tree): FieldError[] {
  const types = treesAt(spec, "metrics").map((metric) => stringAt(metric, "type"));
  const isServed = types.includes("Object") || types.includes("External");
  return spec["minReplicas"] === 0 && !isServed
    ? [
        forbidden(
          "spec.metrics",
          "must specify at least one Object or External metric to support scaling to zero replicas",
        ),
      ]
    : [];
}

const longestSeconds = 3600;

const longestPeriod = 1800;

function checkRules(path: string, rules: Tree | undefined): FieldError[] {
  if (rules === undefined) {
    return [];
  }
  const seconds = numberAt(rules, "stabilizationWindowSeconds") ?? 0;
  const at = below(path, "stabilizationWindowSeconds");
  const select = stringAt(rules, "selectPolicy");
  const policies = treesAt(rules, "policies");
  return faults(
    seconds < 0 && invalid(at, seconds, "must be greater than or equal to zero"),
    seconds > longestSeconds && invalid(at, seconds, `must be less than or equal to ${longestSeconds}`),
    select === "" ||
      ["Disabled", "Max", "Min"].includes(select) ||
      notSupported(below(path, "selectPolicy"), select, ["Disabled", "Max", "Min"]),
    policies.length === 0 && required(below(path, "policies"), "must specify at least one Policy"),
    checkEach(below(path, "policies"), policies, checkPolicy),
  );
}

function checkPolicy(path: string, policy: Tree): FieldError[] {
  const type = stringAt(policy, "type");
  const value = numberAt(policy, "value") ?? 0;
  const period = numberAt(policy, "periodSeconds") ?? 0;
  return faults(
    ["Percent", "Pods"].includes(type) || notSupported(below(path, "type"), type, ["Percent", "Pods"]),
    value <= 0 && invalid(below(path, "value"), value, "must be greater than zero"),
    period <= 0 && invalid(below(path, "periodSeconds"), period, "must be greater than zero"),
    period > longestPeriod &&
      invalid(below(path, "periodSeconds"), period, `must be less than or equal to ${longestPeriod}`),
  );
}
