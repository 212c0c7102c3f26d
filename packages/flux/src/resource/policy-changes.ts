import { quoteGo } from "@weir/base";
import { everyTag, parseTagPattern } from "../image/tag-pattern.ts";
import type { ResourceId } from "./id.ts";
import {
  containerOfTagPolicy,
  type Policy,
  type PolicySet,
  type PolicyUpdate,
  tagAllPolicy,
  tagPolicyOf,
} from "./policy.ts";
import type { Container } from "./resource.ts";

/** Changes to the policies of a workload: a new value, or undefined to remove the policy. */
export type PolicyChanges = ReadonlyMap<Policy, string | undefined>;

/** A tag filter to set is invalid and would match nothing in particular. */
export class InvalidTagPatternError extends Error {
  override readonly name = "InvalidTagPatternError";
  readonly pattern: string;

  constructor(pattern: string) {
    super(`invalid tag pattern: ${quoteGo(pattern)}`);
    this.pattern = pattern;
  }
}

/** A policy update contains no changes. */
export class NoPolicyChangesError extends Error {
  override readonly name = "NoPolicyChangesError";
  readonly id: ResourceId;

  constructor(id: ResourceId) {
    super(`no policies of ${id} were given to be changed`);
    this.id = id;
  }
}

/**
 * The changes that a policy update makes to a workload with these containers. tag_all becomes the tag filter of each
 * container and takes precedence over a filter in the same update; "glob:*" removes the filters. If a policy is both
 * added and removed, it's removed, and so is one that's set to "". Throws InvalidTagPatternError. Same as in Flux v1.
 */
export function policyChanges(containers: readonly Container[], update: PolicyUpdate): PolicyChanges {
  const { add, remove } = expandTagAll(containers, update);
  for (const [policy, value] of add) {
    if (containerOfTagPolicy(policy) !== undefined && !parseTagPattern(value).isValid) {
      throw new InvalidTagPatternError(value);
    }
  }
  const changed = [...add].map(([policy, value]) => [policy, value === "" ? undefined : value] as const);
  const removed = [...remove].map((policy) => [policy, undefined] as const);
  return new Map([...changed, ...removed]);
}

interface ExpandedUpdate {
  readonly add: ReadonlyMap<Policy, string>;
  readonly remove: ReadonlySet<Policy>;
}

function expandTagAll(containers: readonly Container[], update: PolicyUpdate): ExpandedUpdate {
  const add = new Map(Object.entries<string>(update.add ?? noPolicies));
  const remove = new Set(Object.keys(update.remove ?? noPolicies));
  const pattern = add.get(tagAllPolicy);
  if (pattern === undefined) {
    return { add, remove };
  }
  add.delete(tagAllPolicy);
  const tagPolicies = containers.map((container) => tagPolicyOf(container.name));
  return pattern === everyTag.text
    ? { add, remove: new Set([...remove, ...tagPolicies]) }
    : { add: new Map([...add, ...tagPolicies.map((policy) => [policy, pattern] as const)]), remove };
}

const noPolicies: PolicySet = {};
