import { containerOfTagPolicy, type Policy, type PolicyChanges, type PolicySet } from "@weir/flux";
import type { AnnotationChange } from "./edit/set-annotations.ts";

/** The prefix of policies in annotations, and the older prefixes. */
const policyPrefix = "fluxcd.io/";
const oldPolicyPrefix = "flux.weave.works/";
const filterPrefix = "filter.fluxcd.io/";

/**
 * The policies in a workload's annotations: "fluxcd.io/<policy>", "flux.weave.works/<policy>", and
 * "filter.fluxcd.io/<container>" for tag.<container>. If several annotations set the same policy, the first of these
 * forms wins (in Flux v1, any of them).
 */
export function policiesOf(annotations: ReadonlyMap<string, string>): PolicySet {
  if (annotations.size === 0) {
    return {};
  }
  const byForm = [filterPrefix, oldPolicyPrefix, policyPrefix].flatMap((prefix) =>
    [...annotations]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [policyOfKey(key, prefix), value] as const),
  );
  return Object.fromEntries(byForm);
}

/** The annotation that contains a policy: the existing one, or else a new one with the newer prefix. */
export function annotationKeyOf(policy: Policy, annotations: ReadonlyMap<string, string>): string {
  const container = containerOfTagPolicy(policy);
  const keys = [policyPrefix + policy, oldPolicyPrefix + policy, filterPrefix + (container ?? policy)];
  return keys.find((key) => annotations.has(key)) ?? policyPrefix + policy;
}

/** The annotation changes for policy changes, given the workload's existing annotations. */
export function annotationChanges(
  changes: PolicyChanges,
  annotations: ReadonlyMap<string, string>,
): readonly AnnotationChange[] {
  return [...changes].map(([policy, value]) => ({ key: annotationKeyOf(policy, annotations), value }));
}

function policyOfKey(key: string, prefix: string): Policy {
  const name = key.slice(prefix.length);
  return prefix === filterPrefix ? `tag.${name}` : name;
}
