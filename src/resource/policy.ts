/**
 * What a person asks of a workload by annotation: automated, locked, locked_user, locked_msg, ignore, and
 * tag.<container>; other annotations with Flux's prefix become policies too. After Flux's pkg/policy.
 */
export type Policy = string;

/** Policies and their values; a boolean one counts only where its value is exactly "true". */
export type PolicySet = Readonly<Record<Policy, string>>;

/** Policies to add to a workload and to take from it; null as Flux writes an unset one. */
export interface PolicyUpdate {
  readonly add: PolicySet | null;
  readonly remove: PolicySet | null;
}

/** The policies whose value is "true" or not set. */
export const booleanPolicies: readonly Policy[] = ["locked", "automated", "ignore"];

/** Asked for in a request only: stands for tag.<container> of every container. */
export const tagAllPolicy: Policy = "tag_all";

const tagPrefix = "tag.";

/** The policy that holds the tag filter of a container. */
export function tagPolicyOf(container: string): Policy {
  return tagPrefix + container;
}

/** The container that a tag policy is about, or undefined where the policy is another one. */
export function containerOfTagPolicy(policy: Policy): string | undefined {
  return policy.startsWith(tagPrefix) ? policy.slice(tagPrefix.length) : undefined;
}

/** True where a policy is set: a boolean one to exactly "true", any other to anything. */
export function hasPolicy(set: PolicySet, policy: Policy): boolean {
  const value = set[policy];
  return booleanPolicies.includes(policy) ? value === "true" : value !== undefined;
}
