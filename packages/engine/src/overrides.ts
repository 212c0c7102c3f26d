import type { GroupKind } from "@weir/kube";
import type { HealthRule } from "./health/health-status.ts";

/** Custom behavior for objects of one kind. */
export interface ResourceOverride {
  /** Determines their health before the built-in rule does. */
  readonly health?: HealthRule;
  /** JSON pointers to fields that others may set: if only these differ, nothing is applied. */
  readonly ignoreDifferences?: readonly string[];
}

/** Overrides by "group/Kind"; the core group is "". */
export type ResourceOverrides = Readonly<Record<string, ResourceOverride>>;

/** The override for a kind. */
export function overrideFor(overrides: ResourceOverrides, { group, kind }: GroupKind): ResourceOverride {
  return overrides[`${group}/${kind}`] ?? {};
}
