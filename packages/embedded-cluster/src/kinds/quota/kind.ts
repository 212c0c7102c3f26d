import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, setDefault, stringMapAt, type Tree, treeAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { limitRangeRules, resourceQuotaRules } from "./rules.ts";

function defaultLimits(item: Tree): void {
  if (item["type"] === "Container") {
    copyMissing(item, "max", "default");
    copyMissing(item, "default", "defaultRequest");
    copyMissing(item, "min", "defaultRequest");
  }
}

function copyMissing(item: Tree, from: string, to: string): void {
  for (const [name, amount] of Object.entries(treeAt(item, from) ?? {})) {
    setDefault(ensureTree(item, to), name, amount ?? "0");
  }
}

function quotaColumn(quota: Tree, isWanted: (resource: string) => boolean): string {
  const used = stringMapAt(quota, "status", "used");
  return [...stringMapAt(quota, "status", "hard")]
    .filter(([resource]) => isWanted(resource))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${used.get(resource) ?? "0"}/${hard}`)
    .join(", ");
}

/** ResourceQuotas. */
export const resourceQuota: Kind = {
  bucket: "resourcequotas",
  rules: resourceQuotaRules,
  cells: (object, now) => [
    nameOf(object),
    quotaColumn(object, (resource) => !resource.startsWith("limits.")),
    quotaColumn(object, (resource) => resource.startsWith("limits.")),
    ageOf(object, now),
  ],
};

/** LimitRanges. */
export const limitRange: Kind = {
  bucket: "limitranges",
  rules: limitRangeRules,
  defaults: {
    "io.k8s.api.core.v1.LimitRangeItem": defaultLimits,
  },
};
