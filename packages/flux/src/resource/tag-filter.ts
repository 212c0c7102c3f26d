import { everyTag, parseTagPattern, type TagPattern } from "../image/tag-pattern.ts";
import { type PolicySet, tagPolicyOf } from "./policy.ts";

/** The tags that a workload accepts for a container; all tags if it sets no filter. */
export function tagPatternOf(policies: PolicySet, container: string): TagPattern {
  const text = policies[tagPolicyOf(container)];
  return text === undefined ? everyTag : parseTagPattern(text);
}
