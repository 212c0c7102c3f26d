import { parseQuantity } from "@weir/kube";
import { type FieldError, faults, forbidden, invalid, notSupported, required } from "../../field-errors.ts";
import { nodeAt, numberAt, stringAt, type Tree, type TreeNode, treeAt } from "../../tree.ts";
import { below, checkRequiredText } from "../../validate/checks.ts";
import { dnsLabel, pathSegment } from "../../validate/text-rules.ts";

/** What is measured, by type: the field that says it, and how it is checked. */
const sources: Readonly<Record<string, { readonly field: string; readonly check: SourceCheck }>> = {
  ContainerResource: { field: "containerResource", check: checkContainerResource },
  External: { field: "external", check: checkExternal },
  Object: { field: "object", check: checkObject },
  Pods: { field: "pods", check: checkPods },
  Resource: { field: "resource", check: checkResource },
};

type SourceCheck = (path: string, source: Tree) => FieldError[];

/** One metric by which an autoscaler scales. */
export function checkMetric(path: string, metric: Tree): FieldError[] {
  const type = stringAt(metric, "type");
  const source = Object.hasOwn(sources, type) ? sources[type] : undefined;
  const at = below(path, "type");
  if (source === undefined) {
    const unknown = notSupported(at, type, Object.keys(sources));
    // Said twice, as the API server does.
    return type === "" ? [required(at, "must specify a metric source type"), unknown] : [unknown, unknown];
  }
  const value = treeAt(metric, source.field);
  const others = Object.values(sources).filter(
    ({ field }) => field !== source.field && nodeAt(metric, field) !== undefined,
  );
  return [
    ...(value === undefined
      ? [required(below(path, source.field), "must populate information for the given metric source")]
      : source.check(below(path, source.field), value)),
    ...others.map(({ field }) => forbidden(below(path, field), "must populate the given metric source only")),
  ];
}

function checkObject(path: string, source: Tree): FieldError[] {
  const described = treeAt(source, "describedObject");
  return [
    ...checkRequiredText(below(path, "describedObject.kind"), stringAt(described, "kind"), pathSegment),
    ...checkRequiredText(below(path, "describedObject.name"), stringAt(described, "name"), pathSegment),
    ...checkName(path, source),
    ...checkTarget(path, source),
    ...needOne(path, source, ["value", "averageValue"], "must set either a target value or averageValue"),
  ];
}

function checkExternal(path: string, source: Tree): FieldError[] {
  const why = "a target value for metric and a per-pod target";
  const isBoth = hasTarget(source, "value") && hasTarget(source, "averageValue");
  return faults(
    checkName(path, source),
    checkTarget(path, source),
    needOne(path, source, ["value", "averageValue"], `must set either ${why.replace(" and ", " or ")}`),
    isBoth && forbidden(below(path, "target.value"), `may not set both ${why}`),
  );
}

function checkPods(path: string, source: Tree): FieldError[] {
  return [
    ...checkName(path, source),
    ...checkTarget(path, source),
    ...needOne(path, source, ["averageValue"], "must specify a positive target averageValue"),
  ];
}

function checkResourceName(path: string, source: Tree): FieldError[] {
  const name = stringAt(source, "name");
  return checkRequiredText(below(path, "name"), name, undefined, "must specify a resource name");
}

function checkContainerResource(path: string, source: Tree): FieldError[] {
  const container = stringAt(source, "container");
  return [
    ...checkResourceName(path, source),
    ...checkRequiredText(below(path, "container"), container, dnsLabel, "must specify a container"),
    ...checkTarget(path, source),
    ...checkUtilization(path, source),
  ];
}

function checkResource(path: string, source: Tree): FieldError[] {
  return [
    ...checkResourceName(path, source),
    ...checkTarget(path, source),
    ...checkUtilization(path, source),
  ];
}

function checkName(path: string, source: Tree): FieldError[] {
  const name = stringAt(source, "metric", "name");
  return checkRequiredText(below(path, "metric.name"), name, pathSegment, "must specify a metric name");
}

function checkUtilization(path: string, source: Tree): FieldError[] {
  const [raw, share] = ["averageValue", "averageUtilization"];
  const why = "a target raw value or a target utilization";
  if (hasTarget(source, raw) && hasTarget(source, share)) {
    return [
      forbidden(below(path, `target.${raw}`), "may not set both a target raw value and a target utilization"),
    ];
  }
  return hasTarget(source, raw) || hasTarget(source, share)
    ? []
    : [required(below(path, `target.${share}`), `must set either ${why}`)];
}

function hasTarget(source: Tree, field: string): boolean {
  return nodeAt(source, "target", field) !== undefined;
}

function needOne(path: string, source: Tree, fields: readonly string[], why: string): FieldError[] {
  return fields.some((field) => hasTarget(source, field))
    ? []
    : [required(below(path, "target.averageValue"), why)];
}

const kinds = ["Utilization", "Value", "AverageValue"];

function checkTarget(path: string, source: Tree): FieldError[] {
  const target = treeAt(source, "target");
  const type = stringAt(target, "type");
  const at = below(path, "target");
  const share = numberAt(target, "averageUtilization");
  return faults(
    type === "" && required(below(at, "type"), "must specify a metric target type"),
    kinds.includes(type) ||
      invalid(below(at, "type"), type, "must be either Utilization, Value, or AverageValue"),
    ["value", "averageValue"].flatMap((field) => checkPositive(below(at, field), nodeAt(target, field))),
    share !== undefined &&
      share < 1 &&
      invalid(below(at, "averageUtilization"), share, "must be greater than 0"),
  );
}

function checkPositive(path: string, amount: TreeNode | undefined): FieldError[] {
  const quantity = typeof amount === "string" ? (parseQuantity(amount) ?? 0n) : 1n;
  return quantity > 0n ? [] : [invalid(path, amount, "must be positive")];
}
