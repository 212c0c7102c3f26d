/** Limits and quotas: kept as they would be; nothing is counted against them. */

import { parseQuantity } from "@weir/kube";
import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { checkNonNegativeQuantity, isMore, repeats } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { qualifiedKey, type TextRule } from "../../validate/text-rules.ts";

/** Of these there are only whole ones. */
const counted = [
  ...["pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "services.nodeports", "services.loadbalancers"],
];

/** Resources of containers and namespaces that have no domain before their name. */
const standardForQuota = [
  ...["cpu", "memory", "ephemeral-storage", ...counted],
  ...["requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage"],
  ...["limits.cpu", "limits.memory", "limits.ephemeral-storage"],
];

const resourceName = standardOrQualified("resource", [...standardForQuota, "storage"]);

const limitType = standardOrQualified("limit", ["Pod", "Container", "PersistentVolumeClaim"]);

function standardOrQualified(what: string, known: readonly string[]): TextRule {
  return (name) => {
    const found = qualifiedKey(name);
    return found.length > 0 || name.includes("/") || known.includes(name)
      ? found
      : [`must be a standard ${what} type or fully qualified`];
  };
}

/** The rules of ResourceQuotas. */
export const resourceQuotaRules: KindRules = {
  returnsDeleted: true,
  check: (quota) => [
    ...quota.at("spec.hard").entries.flatMap(([name, amount]) => checkHard(name, amount)),
    ...checkScopes(quota.at("spec.scopes")),
  ],
  checkUpdate: (quota, old) => {
    const scopes = quota.at("spec.scopes");
    const isSame = sorted(scopes.texts) === sorted(old.at("spec.scopes").texts);
    return faults(isSame || scopes.invalid("field is immutable"));
  },
};

function sorted(list: readonly string[]): string {
  return [...new Set(list)].sort().join();
}

/** One, in the unit of parsed quantities. */
const unit = 1_000_000_000n;

function checkHard(name: string, amount: Field): FieldError[] {
  const resource = amount.holding(name);
  const isForQuota = name.includes("/") || standardForQuota.includes(name);
  const isCounted = counted.includes(name) || name.startsWith("count/");
  const isWhole = (parseQuantity(amount.text) ?? 0n) % unit === 0n;
  return faults(
    resource.follows(resourceName),
    isForQuota || resource.invalid("must be a standard resource for quota"),
    checkNonNegativeQuantity(amount),
    isCounted && !isWhole && amount.invalid("must be an integer"),
  );
}

const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

function checkScopes(scopes: Field): FieldError[] {
  const { texts, words } = scopes;
  const unknown = texts.filter((scope) => !words.includes(scope));
  const conflicts = opposites.filter((pair) => pair.every((scope) => texts.includes(scope)));
  return [
    ...unknown.map(() => scopes.invalid("unsupported scope")),
    ...conflicts.map(() => scopes.invalid("conflicting scopes")),
  ];
}

/** The rules of LimitRanges. */
export const limitRangeRules: KindRules = {
  createOnUpdate: true,
  check: (range) => {
    const isTwice = repeats();
    return range.at("spec.limits").each((limit) => {
      const type = limit.at("type");
      return faults(
        type.follows(limitType),
        // Also an empty type may be there only once.
        isTwice(`type ${type.text}`) && type.duplicate(),
        checkLimit(limit),
      );
    });
  },
};

/** The amounts of a limit, in the API server's words. */
const amounts = {
  max: "max value",
  min: "min value",
  default: "default value",
  defaultRequest: "default request value",
  maxLimitRequestRatio: "ratio",
} as const;

type Amount = keyof typeof amounts;

function checkLimit(limit: Field): FieldError[] {
  const type = limit.at("type").text;
  const fields = Object.keys(amounts).map((field) => limit.at(field));
  const names = new Set(fields.flatMap((field) => Object.keys(field.tree)));
  const isStored = limit.at("min.storage").isSet || limit.at("max.storage").isSet;
  const defaults = limit.whichSet(["default", "defaultRequest"]);
  return faults(
    type === "Pod" && defaults.map((field) => field.forbidden("may not be specified when `type` is 'Pod'")),
    type === "PersistentVolumeClaim" &&
      !isStored &&
      limit
        .shownAs(`${limit.path}.limits`)
        .required("either minimum or maximum storage value is required, but neither was provided"),
    [...names].flatMap((name) => checkAmounts(limit, name)),
  );
}

/** What must not be more than what. The fault is that of a field, and shows the amount of it or of another. */
const order: readonly {
  readonly less: Amount;
  readonly more: Amount;
  readonly blamed: Amount;
  readonly shown?: Amount;
  readonly moreWords?: string;
}[] = [
  { less: "min", more: "max", blamed: "min" },
  { less: "min", more: "defaultRequest", blamed: "defaultRequest" },
  { less: "defaultRequest", more: "max", blamed: "defaultRequest" },
  { less: "defaultRequest", more: "default", blamed: "defaultRequest", moreWords: "default limit value" },
  { less: "min", more: "default", blamed: "default", shown: "min" },
  { less: "default", more: "max", blamed: "default", shown: "max" },
];

/** The amounts that a limit has for a resource. */
function checkAmounts(limit: Field, name: string): FieldError[] {
  const amount = (field: Amount): Field => limit.at(field).key(name);
  const ratio = amount("maxLimitRequestRatio");
  const wrong = order.filter(({ less, more }) => isMore(amount(less).value, amount(more).value));
  return faults(
    wrong.map(({ less, more, blamed, shown = blamed, moreWords = amounts[more] }) =>
      amount(blamed).invalid(
        `${amounts[less]} ${amount(less).text} is greater than ${moreWords} ${amount(more).text}`,
        amount(shown).text,
      ),
    ),
    isMore("1", ratio.value) && ratio.invalid(`ratio ${ratio.text} is less than 1`),
  );
}
