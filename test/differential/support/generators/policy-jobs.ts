import { fc } from "@weir/testing/property";
import type { ModelPolicyUpdate } from "../model/policy-job.ts";
import { isRefused } from "../model/tag-filter.ts";
import type { ModelPolicies } from "../model/world.ts";
import { tagFilter } from "./policies.ts";

/** A request of one workload, all of it fit to be written. Something is always asked for. */
export const policyUpdate = updates().filter((update) => !holdsRefused(update));

/** A request with a tag filter that is none. */
export const refusedUpdate = updates().filter(holdsRefused);

function updates(): fc.Arbitrary<ModelPolicyUpdate> {
  return fc
    .record({ add: fc.option(added()), remove: fc.option(removed()) })
    .map(({ add, remove }) => ({ add, remove }))
    .filter(({ add, remove }) => Object.keys({ ...add, ...remove }).length > 0);
}

function holdsRefused({ add }: ModelPolicyUpdate): boolean {
  return Object.entries(add ?? {}).some(([policy, value]) => policy.startsWith("tag") && isRefused(value));
}

function added(): fc.Arbitrary<ModelPolicies> {
  const policies = {
    automated: fc.constantFrom("true", "false", ""),
    locked: fc.constant("true"),
    locked_msg: fc.constantFrom("do not: touch", "1"),
    "tag.main": tagFilter,
    "tag.side": tagFilter,
    tag_all: tagFilter,
  };
  return fc
    .subarray(Object.keys(policies) as (keyof typeof policies)[], { maxLength: 3 })
    .chain((keys) =>
      fc.tuple(...keys.map((key) => policies[key].map((value): readonly [string, string] => [key, value]))),
    )
    .map((entries) => Object.fromEntries(entries));
}

function removed(): fc.Arbitrary<ModelPolicies> {
  return fc
    .subarray(["automated", "locked", "locked_msg", "tag.main", "tag.side", "other"], { maxLength: 2 })
    .map((keys) => Object.fromEntries(keys.map((key) => [key, "true"])));
}
