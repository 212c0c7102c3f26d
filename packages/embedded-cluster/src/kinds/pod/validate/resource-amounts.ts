/** What containers ask for and may use. */

import { parseQuantity } from "@weir/kube";
import { type FieldError, faults, invalid, required } from "../../../field-errors.ts";
import { stringMapAt, type Tree } from "../../../tree.ts";
import { isMore } from "../../../validate/checks.ts";
import { qualifiedKey } from "../../../validate/text-rules.ts";
import { below, checkNonNegativeQuantity } from "../../../validate/tree-checks.ts";

const standard = new Set(["cpu", "memory", "ephemeral-storage"]);

const known = new Set([
  ...standard,
  "pods",
  "services",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "requests.storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Limits and requests of a container: requests within limits. */
export function checkContainerResources(path: string, resources: Tree | undefined): FieldError[] {
  const limits = stringMapAt(resources, "limits");
  const requests = stringMapAt(resources, "requests");
  return [
    ...[...limits].flatMap(([name, amount]) =>
      checkAmount(`${below(path, "limits")}[${name}]`, name, amount),
    ),
    ...[...requests].flatMap(([name, amount]) => [
      ...checkAmount(`${below(path, "requests")}[${name}]`, name, amount),
      ...checkWithin(path, name, amount, limits.get(name)),
    ]),
  ];
}

function checkWithin(path: string, name: string, amount: string, limit: string | undefined): FieldError[] {
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  const mayOvercommit = isNative && !name.startsWith("hugepages-");
  const requests = below(path, "requests");
  if (limit === undefined) {
    return mayOvercommit
      ? []
      : [required(below(path, "limits"), "Limit must be set for non overcommitable resources")];
  }
  if (!mayOvercommit && parseQuantity(amount) !== parseQuantity(limit)) {
    return [invalid(requests, amount, `must be equal to ${name} limit of ${limit}`)];
  }
  return isMore(amount, limit)
    ? [invalid(requests, amount, `must be less than or equal to ${name} limit of ${limit}`)]
    : [];
}

function checkAmount(path: string, name: string, amount: string): FieldError[] {
  return [
    ...checkName(path, name),
    ...checkNonNegativeQuantity(path, amount),
    ...checkWhole(path, name, amount),
  ];
}

function checkName(path: string, name: string): FieldError[] {
  const found = qualifiedKey(name).map((message) => invalid(path, name, message));
  if (found.length > 0 || name.includes("/")) {
    return found;
  }
  const isStandard = standard.has(name) || name.startsWith("hugepages-");
  return faults(
    isStandard ||
      known.has(name) ||
      invalid(path, name, "must be a standard resource type or fully qualified"),
    isStandard || invalid(path, name, "must be a standard resource for containers"),
  );
}

/** Extended resources, such as devices, come in whole pieces. */
function checkWhole(path: string, name: string, amount: string): FieldError[] {
  const quantity = parseQuantity(amount) ?? 0n;
  return name.includes("/") && quantity % 1_000_000_000n !== 0n
    ? [invalid(path, amount, "must be an integer")]
    : [];
}
