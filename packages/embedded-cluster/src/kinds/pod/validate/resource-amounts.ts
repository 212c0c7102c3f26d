/** What containers ask for and may use. */
import { parseQuantity } from "@weir/kube";
import { type FieldError, faults } from "../../../field-errors.ts";
import { checkNonNegativeQuantity, isMore } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { qualifiedKey } from "../../../validate/text-rules.ts";

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
export function checkContainerResources(resources: Field): FieldError[] {
  return [
    ...resources.at("limits").entries.flatMap(([name, amount]) => checkAmount(amount, name)),
    ...resources
      .at("requests")
      .entries.flatMap(([name, amount]) => [...checkAmount(amount, name), ...checkWithin(resources, name)]),
  ];
}

function checkWithin(resources: Field, name: string): FieldError[] {
  const [limits, requests] = [resources.at("limits"), resources.at("requests")];
  const [limit, request = ""] = [limits.textMap.get(name), requests.textMap.get(name)];
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  const mayOvercommit = isNative && !name.startsWith("hugepages-");
  if (limit === undefined) {
    return faults(mayOvercommit || limits.required("Limit must be set for non overcommitable resources"));
  }
  if (!mayOvercommit && parseQuantity(request) !== parseQuantity(limit)) {
    return [requests.invalid(`must be equal to ${name} limit of ${limit}`, request)];
  }
  const why = `must be less than or equal to ${name} limit of ${limit}`;
  return faults(isMore(request, limit) && requests.invalid(why, request));
}

function checkAmount(amount: Field, name: string): FieldError[] {
  return [...checkName(amount, name), ...checkNonNegativeQuantity(amount), ...checkWhole(amount, name)];
}

function checkName(amount: Field, name: string): FieldError[] {
  const found = amount.holding(name).follows(qualifiedKey);
  if (found.length > 0 || name.includes("/")) {
    return found;
  }
  const isStandard = standard.has(name) || name.startsWith("hugepages-");
  return faults(
    isStandard ||
      known.has(name) ||
      amount.invalid("must be a standard resource type or fully qualified", name),
    isStandard || amount.invalid("must be a standard resource for containers", name),
  );
}

/** Extended resources, such as devices, come in whole pieces. */
function checkWhole(amount: Field, name: string): FieldError[] {
  const isWhole = (parseQuantity(amount.text) ?? 0n) % 1_000_000_000n === 0n;
  return faults(!name.includes("/") || isWhole || amount.invalid("must be an integer"));
}
