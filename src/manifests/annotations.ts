import { containerOfTagPolicy, type Policy, type PolicySet } from "../resource/policy.ts";
import type { PolicyChanges } from "../resource/policy-changes.ts";
import type { AnnotationChange } from "./edit/set-annotations.ts";

/** The prefix of policies in annotations, and the ones that older manifests have. */
const policyPrefix = "fluxcd.io/";
const oldPolicyPrefix = "flux.weave.works/";
const filterPrefix = "filter.fluxcd.io/";

/**
 * The policies that annotations give a workload: "fluxcd.io/<policy>", "flux.weave.works/<policy>", and
 * "filter.fluxcd.io/<container>" for tag.<container>. Where several give the same policy, the first of these
 * forms wins (in Flux v1, any).
 */
export function policiesOf(annotations: ReadonlyMap<string, string>): PolicySet {
  const byForm = [filterPrefix, oldPolicyPrefix, policyPrefix].flatMap((prefix) =>
    [...annotations]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [policyOfKey(key, prefix), value] as const),
  );
  return Object.fromEntries(byForm);
}

/** The annotation that holds a policy: the one that is there, else a new one under the newer prefix. */
export function annotationKeyOf(policy: Policy, annotations: ReadonlyMap<string, string>): string {
  const container = containerOfTagPolicy(policy);
  const keys = [policyPrefix + policy, oldPolicyPrefix + policy, filterPrefix + (container ?? policy)];
  return keys.find((key) => annotations.has(key)) ?? policyPrefix + policy;
}

/** The annotations that policy changes come to, in a workload that has these. */
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
