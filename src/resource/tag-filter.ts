import { everyTag, parseTagPattern, type TagPattern } from "../image/tag-pattern.ts";
import { type PolicySet, tagPolicyOf } from "./policy.ts";

/** Which tags a workload wants for a container; every tag where it does not say. */
export function tagPatternOf(policies: PolicySet, container: string): TagPattern {
  const text = policies[tagPolicyOf(container)];
  return text === undefined ? everyTag : parseTagPattern(text);
}
