import { type FieldError, faults } from "../../field-errors.ts";
import type { Field } from "../../validate/field.ts";
import { pathSegment } from "../../validate/text-rules.ts";
import { checkMetric } from "./validate-metrics.ts";

/** The spec of a HorizontalPodAutoscaler in the form of autoscaling/v2. */
export function checkAutoscaler(autoscaler: Field): FieldError[] {
  const spec = autoscaler.at("spec");
  const behavior = spec.at("behavior");
  return faults(
    checkBounds(spec),
    checkTarget(spec.at("scaleTargetRef")),
    spec.at("metrics").each(checkMetric),
    checkScalingToZero(spec),
    behavior.all(["scaleUp", "scaleDown"], (rules) => rules.isSet && checkRules(rules)),
  );
}

function checkTarget(target: Field): FieldError[] {
  const version = target.at("apiVersion");
  const isGrouped = version.text !== "" || target.at("kind").text === "ReplicationController";
  return faults(
    target.all(["kind", "name"], (field) => field.check(pathSegment)),
    isGrouped || version.invalid("apiVersion must specify API group"),
  );
}

function checkBounds(spec: Field): FieldError[] {
  const [least, most] = [spec.at("minReplicas"), spec.at("maxReplicas")];
  return faults(
    least.atLeast(1),
    most.number < 1 && most.invalid("must be greater than 0"),
    least.isSet &&
      most.number < least.number &&
      most.invalid("must be greater than or equal to `minReplicas`"),
  );
}

function checkScalingToZero(spec: Field): FieldError[] {
  const [least, metrics] = [spec.at("minReplicas"), spec.at("metrics")];
  const isServed = metrics.items.some((metric) => ["Object", "External"].includes(metric.at("type").text));
  const why = "must specify at least one Object or External metric to support scaling to zero replicas";
  return faults(least.isSet && least.number === 0 && !isServed && metrics.forbidden(why));
}

const longestSeconds = 3600;

const longestPeriod = 1800;

function checkRules(rules: Field): FieldError[] {
  const window = rules.at("stabilizationWindowSeconds");
  const [select, policies] = [rules.at("selectPolicy"), rules.at("policies")];
  return faults(
    window.number < 0 && window.invalid("must be greater than or equal to zero"),
    window.number > longestSeconds && window.invalid(`must be less than or equal to ${longestSeconds}`),
    select.text === "" || select.oneOf(["Disabled", "Max", "Min"]),
    policies.items.length === 0 && policies.required("must specify at least one Policy"),
    policies.each(checkPolicy),
  );
}

function checkPolicy(policy: Field): FieldError[] {
  const [value, period] = [policy.at("value"), policy.at("periodSeconds")];
  return faults(
    policy.at("type").oneOf(["Percent", "Pods"]),
    value.number <= 0 && value.invalid("must be greater than zero"),
    period.number <= 0 && period.invalid("must be greater than zero"),
    period.number > longestPeriod && period.invalid(`must be less than or equal to ${longestPeriod}`),
  );
}
