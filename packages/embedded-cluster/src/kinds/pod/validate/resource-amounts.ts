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
    ...checkHugePages(resources),
  ];
}

function checkWithin(resources: Field, name: string): FieldError[] {
  const [limits, requests] = [resources.at("limits"), resources.at("requests")];
  const [limit, request = ""] = [limits.textMap.get(name), requests.textMap.get(name)];
  const mayOvercommit = isNative(name) && !name.startsWith("hugepages-");
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
  if (name.includes("/")) {
    return faults(
      found,
      isNative(name) ||
        isExtended(name) ||
        amount.invalid("doesn't follow extended resource name standard", name),
    );
  }
  const isStandard = standard.has(name) || name.startsWith("hugepages-");
  const isKnown = isStandard || known.has(name) || found.length > 0;
  return faults(
    found,
    isKnown || amount.invalid("must be a standard resource type or fully qualified", name),
    isStandard || amount.invalid("must be a standard resource for containers", name),
  );
}

/** Resources that Kubernetes itself knows. */
function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Extended resources, such as devices. Their name in quotas, with the prefix "requests.", must be right too. */
function isExtended(name: string): boolean {
  return !name.startsWith("requests.") && qualifiedKey(`requests.${name}`).length === 0;
}

/** A container with huge pages must also ask for CPU or memory. */
function checkHugePages(resources: Field): FieldError[] {
  const names = ["limits", "requests"].flatMap((part) => Object.keys(resources.at(part).tree));
  const isHuge = names.some((name) => name.startsWith("hugepages-"));
  const isBased = names.includes("cpu") || names.includes("memory");
  return faults(isHuge && !isBased && resources.forbidden("HugePages require cpu or memory"));
}

/** Extended resources, such as devices, come in whole pieces. */
function checkWhole(amount: Field, name: string): FieldError[] {
  const isWhole = (parseQuantity(amount.text) ?? 0n) % 1_000_000_000n === 0n;
  return faults(!name.includes("/") || isWhole || amount.invalid("must be an integer"));
}
