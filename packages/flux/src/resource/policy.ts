/**
 * A setting for a workload, given as an annotation: automated, locked, locked_user, locked_msg, ignore, and
 * tag.<container>; other annotations with Flux's prefix become policies too. Based on Flux's pkg/policy.
 */
export type Policy = string;

/** Policies and their values; a Boolean policy is set only if its value is exactly "true". */
export type PolicySet = Readonly<Record<Policy, string>>;

/** Policies to add to a workload and to remove from it; null is how Flux writes an empty set. */
export interface PolicyUpdate {
  readonly add: PolicySet | null;
  readonly remove: PolicySet | null;
}

/** The policies whose value is either "true" or not set. */
export const booleanPolicies: readonly Policy[] = ["locked", "automated", "ignore"];

/** Used only in requests: stands for tag.<container> of every container. */
export const tagAllPolicy: Policy = "tag_all";

const tagPrefix = "tag.";

/** The policy that contains the tag filter of a container. */
export function tagPolicyOf(container: string): Policy {
  return tagPrefix + container;
}

/** The container of a tag policy; undefined for other policies. */
export function containerOfTagPolicy(policy: Policy): string | undefined {
  return policy.startsWith(tagPrefix) ? policy.slice(tagPrefix.length) : undefined;
}

/** True if a policy is set: a Boolean one to exactly "true", any other one to anything. */
export function hasPolicy(set: PolicySet, policy: Policy): boolean {
  const value = set[policy];
  return booleanPolicies.includes(policy) ? value === "true" : value !== undefined;
}
