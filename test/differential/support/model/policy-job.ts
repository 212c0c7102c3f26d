import { isRefused } from "./tag-filter.ts";
import type { ModelPolicies } from "./world.ts";

/** What a request asks of the policies of one workload. */
export interface ModelPolicyUpdate {
  readonly add: ModelPolicies | null;
  readonly remove: ModelPolicies | null;
}

/** A resource in git: the policies of a workload and the names of its containers; null for what is no workload. */
export type InGit = { readonly policies: ModelPolicies; readonly containers: readonly string[] } | null;

/** What becomes of one resource. */
export type PolicyOutcome =
  | { readonly status: "success"; readonly policies: ModelPolicies }
  | { readonly status: "skipped" }
  | { readonly status: "failed"; readonly error: string };

/** Changes the policies of one resource. pkg/daemon/daemon.go, updatePolicies, and pkg/resource/policy.go. */
export function changePolicies(
  id: string,
  { add, remove }: ModelPolicyUpdate,
  inGit: InGit | undefined,
): PolicyOutcome {
  if (inGit === undefined) {
    return { status: "skipped" };
  }
  if (inGit === null) {
    return { status: "failed", error: `resource ${id} does not have containers` };
  }
  const { tag_all: tagAll, ...given } = add ?? {};
  const filters = inGit.containers.map((container) => `tag.${container}`);
  const isReset = tagAll === "glob:*";
  const set = { ...given, ...(tagAll === undefined || isReset ? {} : valueOfAll(filters, tagAll)) };
  const refused = Object.entries(set).find(
    ([policy, value]) => policy.startsWith("tag.") && isRefused(value),
  );
  if (refused !== undefined) {
    return { status: "failed", error: `invalid tag pattern: ${JSON.stringify(refused[1])}` };
  }
  const gone = new Set([...Object.keys(remove ?? {}), ...(isReset ? filters : [])]);
  const policies = Object.fromEntries(
    Object.entries({ ...inGit.policies, ...set }).filter(
      ([policy, value]) => value !== "" && !gone.has(policy),
    ),
  );
  return isSame(policies, inGit.policies) ? { status: "skipped" } : { status: "success", policies };
}

function valueOfAll(keys: readonly string[], value: string): ModelPolicies {
  return Object.fromEntries(keys.map((key) => [key, value]));
}

function isSame(a: ModelPolicies, b: ModelPolicies): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
