import { parseQuantity } from "@weir/kube";
import { type FieldError, faults } from "../../field-errors.ts";
import type { Field } from "../../validate/field.ts";
import { dnsLabel, pathSegment } from "../../validate/text-rules.ts";

/** What is measured, by type: the field that says it, and how it is checked. */
const sources: ReadonlyMap<string, { readonly name: string; readonly check: SourceCheck }> = new Map([
  ["ContainerResource", { name: "containerResource", check: checkContainerResource }],
  ["External", { name: "external", check: checkExternal }],
  ["Object", { name: "object", check: checkObject }],
  ["Pods", { name: "pods", check: checkPods }],
  ["Resource", { name: "resource", check: checkResource }],
]);

type SourceCheck = (source: Field) => FieldError[];

/** One metric by which an autoscaler scales. */
export function checkMetric(metric: Field): FieldError[] {
  const type = metric.at("type");
  const source = sources.get(type.text);
  if (source === undefined) {
    const unknown = type.notSupported([...sources.keys()]);
    // Said twice, as the API server does.
    return type.text === ""
      ? [type.required("must specify a metric source type"), unknown]
      : [unknown, unknown];
  }
  const value = metric.at(source.name);
  const others = [...sources.values()].map(({ name }) => name).filter((name) => name !== source.name);
  return faults(
    value.isSet
      ? source.check(value)
      : value.required("must populate information for the given metric source"),
    metric.whichSet(others).map((other) => other.forbidden("must populate the given metric source only")),
  );
}

function checkObject(source: Field): FieldError[] {
  return [
    ...source.at("describedObject").all(["kind", "name"], (field) => field.check(pathSegment)),
    ...checkName(source),
    ...checkTarget(source.at("target")),
    ...needOne(source, ["value", "averageValue"], "must set either a target value or averageValue"),
  ];
}

function checkExternal(source: Field): FieldError[] {
  const set = source.at("target").whichSet(["value", "averageValue"]);
  return [
    ...checkName(source),
    ...checkTarget(source.at("target")),
    ...needOne(
      source,
      ["value", "averageValue"],
      "must set either a target value for metric or a per-pod target",
    ),
    ...set
      .slice(0, -1)
      .map((value) => value.forbidden("may not set both a target value for metric and a per-pod target")),
  ];
}

function checkPods(source: Field): FieldError[] {
  return [
    ...checkName(source),
    ...checkTarget(source.at("target")),
    ...needOne(source, ["averageValue"], "must specify a positive target averageValue"),
  ];
}

function checkContainerResource(source: Field): FieldError[] {
  return [
    ...source.at("name").needs(undefined, "must specify a resource name"),
    ...source.at("container").needs(dnsLabel, "must specify a container"),
    ...checkTarget(source.at("target")),
    ...checkUtilization(source.at("target")),
  ];
}

function checkResource(source: Field): FieldError[] {
  return [
    ...source.at("name").needs(undefined, "must specify a resource name"),
    ...checkTarget(source.at("target")),
    ...checkUtilization(source.at("target")),
  ];
}

function checkName(source: Field): FieldError[] {
  return source.at("metric.name").needs(pathSegment, "must specify a metric name");
}

function checkUtilization(target: Field): FieldError[] {
  const [raw, share] = [target.at("averageValue"), target.at("averageUtilization")];
  return faults(
    raw.isSet && share.isSet && raw.forbidden("may not set both a target raw value and a target utilization"),
    raw.isSet || share.isSet || share.required("must set either a target raw value or a target utilization"),
  );
}

function needOne(source: Field, names: readonly string[], why: string): FieldError[] {
  const target = source.at("target");
  return faults(target.whichSet(names).length > 0 || target.at("averageValue").required(why));
}

function checkTarget(target: Field): FieldError[] {
  const [type, share] = [target.at("type"), target.at("averageUtilization")];
  return faults(
    type.text === "" && type.required("must specify a metric target type"),
    ["Utilization", "Value", "AverageValue"].includes(type.text) ||
      type.invalid("must be either Utilization, Value, or AverageValue"),
    target
      .whichSet(["value", "averageValue"])
      .filter((amount) => (parseQuantity(amount.text) ?? 0n) <= 0n)
      .map((amount) => amount.invalid("must be positive")),
    share.isSet && share.number < 1 && share.invalid("must be greater than 0"),
  );
}
