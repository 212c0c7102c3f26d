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

/** The policies of a workload that are to change: to a value, or away where it is undefined. */
export type PolicyChanges = ReadonlyMap<Policy, string | undefined>;

/** A tag filter is to be set that matches nothing in particular, since it cannot be read. */
export class InvalidTagPatternError extends Error {
  override readonly name = "InvalidTagPatternError";
  readonly pattern: string;

  constructor(pattern: string) {
    super(`invalid tag pattern: ${quoteGo(pattern)}`);
    this.pattern = pattern;
  }
}

/** An update of policies says nothing that could be changed. */
export class NoPolicyChangesError extends Error {
  override readonly name = "NoPolicyChangesError";
  readonly id: ResourceId;

  constructor(id: ResourceId) {
    super(`no policies of ${id} were given to be changed`);
    this.id = id;
  }
}

/**
 * What an update asks of a workload with these containers. tag_all becomes the tag filter of each container,
 * over one that is given in the same update; "glob:*" takes the filters away. What is to be removed is removed,
 * though it is also to be added, and so is what is to be set to "". Throws InvalidTagPatternError. As Flux v1.
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
