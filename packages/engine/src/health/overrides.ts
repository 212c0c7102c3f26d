import type { GroupKind } from "@weir/kube";
import type { IgnoredDifferences } from "../ignore/ignored-differences.ts";
import type { HealthRule } from "./health-status.ts";

/** Custom behavior for objects of one kind. */
export interface ResourceOverride {
  /** Determines their health before the built-in rule does. */
  readonly health?: HealthRule;
  /** Fields that others may set; each of the rules may be limited to some objects. */
  readonly ignoreDifferences?: readonly IgnoredDifferences[];
}

/**
 * Overrides by "group/Kind"; the core group is "". A `*` stands for any kind, and for the first labels of a
 * group, or all of it: "*.crossplane.io/*". If several keys match, the most specific one counts, for each
 * field by itself; a group is more specific than a kind.
 */
export type ResourceOverrides = Readonly<Record<string, ResourceOverride>>;

/** The override for a kind. */
export function overrideFor(overrides: ResourceOverrides, { group, kind }: GroupKind): ResourceOverride {
  if (isEmpty(overrides)) {
    return {};
  }
  const keys = [...wildcardsOf(group), group].flatMap((each) => [`${each}/*`, `${each}/${kind}`]);
  return Object.assign({}, ...keys.map((key) => overrides[key])) as ResourceOverride;
}

/** The patterns for a group, from the least to the most specific one: *, *.io, *.crossplane.io, … */
function wildcardsOf(group: string): readonly string[] {
  const labels = group.split(".");
  return labels.map((_, at) => ["*", ...labels.slice(labels.length - at)].join("."));
}

function isEmpty(overrides: ResourceOverrides): boolean {
  for (const _ in overrides) {
    return false;
  }
  return true;
}
