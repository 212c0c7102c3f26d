import type { Workload } from "../../../src/contract/workloads.ts";

/** What the policy with the tag filter of a container begins with. */
const prefix = "tag.";

/** The tag filters of a workload, by container; empty where there's none. */
export function tagFilters({
  containers,
  policies,
}: Pick<Workload, "containers" | "policies">): Readonly<Record<string, string>> {
  return Object.fromEntries(containers.map(({ name }) => [name, policies[`${prefix}${name}`] ?? ""]));
}

/** The filters that differ from those that a workload has. */
export function changedTags(
  workload: Pick<Workload, "containers" | "policies">,
  filters: Readonly<Record<string, string>>,
): Record<string, string> {
  const before = tagFilters(workload);
  return Object.fromEntries(
    Object.entries(filters)
      .map(([name, filter]): [string, string] => [name, filter.trim()])
      .filter(([name, filter]) => filter !== before[name]),
  );
}
