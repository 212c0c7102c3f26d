/** Limits and quotas: kept as they would be; nothing is counted against them. */

import { parseQuantity } from "@weir/kube";
import { duplicate, type FieldError, faults, forbidden, invalid, required } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { enumField } from "../../schema/enum-fields.ts";
import { nodeAt, stringAt, stringMapAt, stringsAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import { isMore } from "../../validate/checks.ts";
import { qualifiedKey } from "../../validate/text-rules.ts";
import { below, checkEach, checkNonNegativeQuantity, checkText } from "../../validate/tree-checks.ts";

/** Resources of containers and namespaces that have no domain before their name. */
const standardForQuota = [
  ...["cpu", "memory", "ephemeral-storage", "pods", "resourcequotas", "services", "replicationcontrollers"],
  ...["requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage"],
  ...["limits.cpu", "limits.memory", "limits.ephemeral-storage", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "services.nodeports", "services.loadbalancers"],
];

const standard = [...standardForQuota, "storage"];

/** Of these there are only whole ones. */
const counted = new Set([
  ...["pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "services.nodeports", "services.loadbalancers"],
]);

/** One, in the unit of parsed quantities. */
const unit = 1_000_000_000n;

const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

/** The rules of ResourceQuotas. */
export const resourceQuotaRules: KindRules = {
  returnsDeleted: true,
  check: ({ tree: quota }) => [
    ...[...stringMapAt(quota, "spec", "hard")].flatMap(([name, amount]) => {
      const path = `spec.hard[${name}]`;
      const errors = checkResourceName(
        path,
        name,
        standard,
        "must be a standard resource type or fully qualified",
      );
      const why = "must be a standard resource for quota";
      return faults(
        errors,
        name.includes("/") || standardForQuota.includes(name) || invalid(path, name, why),
        checkNonNegativeQuantity(path, amount),
        checkWhole(path, name, amount),
      );
    }),
    ...checkScopes(stringsAt(quota, "spec", "scopes")),
  ],
  checkUpdate: ({ tree: quota }, { tree: old }) => {
    const now = stringsAt(quota, "spec", "scopes");
    const isSame = sorted(now) === sorted(stringsAt(old, "spec", "scopes"));
    return isSame ? [] : [invalid("spec.scopes", now, "field is immutable")];
  },
};

/** The rules of LimitRanges. */
export const limitRangeRules: KindRules = {
  createOnUpdate: true,
  check: ({ tree: range }) => {
    const limits = treesAt(range, "spec", "limits");
    const types = limits.map((limit) => stringAt(limit, "type"));
    return checkEach("spec.limits", limits, (path, limit) => {
      const type = stringAt(limit, "type");
      const isTwice = types.indexOf(type) < limits.indexOf(limit);
      return faults(
        checkType(below(path, "type"), type),
        isTwice && duplicate(below(path, "type"), type),
        checkLimit(path, limit, type),
      );
    });
  },
};

/** Things are counted in whole numbers. */
function checkWhole(path: string, name: string, amount: string): FieldError[] {
  const quantity = parseQuantity(amount);
  const isWhole = quantity === undefined || quantity % unit === 0n;
  const isCounted = counted.has(name) || name.startsWith("count/");
  return isCounted && !isWhole ? [invalid(path, amount, "must be an integer")] : [];
}

function sorted(list: readonly string[]): string {
  return [...new Set(list)].sort().join();
}

function checkScopes(list: string[]): FieldError[] {
  const { words } = enumField("core.v1.ResourceQuotaSpec.scopes");
  return [
    ...list.flatMap((scope) =>
      words.includes(scope) ? [] : [invalid("spec.scopes", list, "unsupported scope")],
    ),
    ...opposites.flatMap((pair) =>
      pair.every((scope) => list.includes(scope)) ? [invalid("spec.scopes", list, "conflicting scopes")] : [],
    ),
  ];
}

function checkType(path: string, type: string): FieldError[] {
  const known = ["Pod", "Container", "PersistentVolumeClaim"];
  return checkResourceName(path, type, known, "must be a standard limit type or fully qualified");
}

function checkResourceName(path: string, name: string, known: readonly string[], why: string): FieldError[] {
  const errors = checkText(path, name, qualifiedKey);
  const isKnown = name.includes("/") || known.includes(name);
  return errors.length > 0 || isKnown ? errors : [invalid(path, name, why)];
}

const amounts = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];

function checkLimit(path: string, limit: Tree, type: string): FieldError[] {
  const names = new Set(amounts.flatMap((field) => [...stringMapAt(limit, field).keys()]));
  const isStored = ["min", "max"].some((field) => nodeAt(limit, field, "storage") !== undefined);
  return faults(
    type === "Pod" && checkNoDefaults(path, limit),
    type === "PersistentVolumeClaim" &&
      !isStored &&
      required(
        below(path, "limits"),
        "either minimum or maximum storage value is required, but neither was provided",
      ),
    [...names].flatMap((name) => checkOrder(path, limit, name)),
  );
}

function checkNoDefaults(path: string, limit: Tree): FieldError[] {
  return ["default", "defaultRequest"]
    .filter((field) => treeAt(limit, field) !== undefined)
    .map((field) => forbidden(below(path, field), "may not be specified when `type` is 'Pod'"));
}

/** What must not be more than what: the two fields, the words for them, and the field that is blamed. */
const order = [
  { less: "min", more: "max", texts: ["min value", "max value"], blamed: "min" },
  {
    less: "min",
    more: "defaultRequest",
    texts: ["min value", "default request value"],
    blamed: "defaultRequest",
  },
  {
    less: "defaultRequest",
    more: "max",
    texts: ["default request value", "max value"],
    blamed: "defaultRequest",
  },
  {
    less: "defaultRequest",
    more: "default",
    texts: ["default request value", "default limit value"],
    blamed: "defaultRequest",
  },
  { less: "min", more: "default", texts: ["min value", "default value"], blamed: "default" },
  { less: "default", more: "max", texts: ["default value", "max value"], blamed: "default" },
] as const;

function checkOrder(path: string, limit: Tree, name: string): FieldError[] {
  const ratio = stringAt(limit, "maxLimitRequestRatio", name);
  const errors = order.flatMap(({ less, more, texts, blamed }) => {
    const [a, b] = [stringAt(limit, less, name), stringAt(limit, more, name)];
    const shown = blamed === "default" ? (less === "min" ? a : b) : stringAt(limit, blamed, name);
    return a !== "" && b !== "" && isMore(a, b)
      ? [
          invalid(
            `${below(path, blamed)}[${name}]`,
            shown,
            `${texts[0]} ${a} is greater than ${texts[1]} ${b}`,
          ),
        ]
      : [];
  });
  const isSmall = ratio !== "" && (parseQuantity(ratio) ?? 0n) < (parseQuantity("1") ?? 0n);
  return isSmall
    ? [
        ...errors,
        invalid(`${below(path, "maxLimitRequestRatio")}[${name}]`, ratio, `ratio ${ratio} is less than 1`),
      ]
    : errors;
}
