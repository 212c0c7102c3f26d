import { quoteGo } from "@weir/base";
import { type PolicySet, type PolicyUpdate, tagAllPolicy, tagPolicyOf } from "../../src/resource/policy.ts";
import type { Cause } from "../../src/update/spec.ts";
import { UsageError } from "./command.ts";

/** What is to become of the policies of a workload. */
export interface PolicyWish {
  readonly automate?: boolean;
  readonly deautomate?: boolean;
  readonly lock?: boolean;
  readonly unlock?: boolean;
  /** A tag pattern for every container; "" for none. */
  readonly tagAll?: string;
  /** "container=pattern". */
  readonly tags?: readonly string[];
}

const set = "true";

/**
 * The policies to add and to take away. A lock also says who made it, where that is known. Throws UsageError
 * for a tag that is no pair.
 */
export function policyUpdateOf(wish: PolicyWish, cause: Cause): PolicyUpdate {
  const tags = (wish.tags ?? []).map(parseTag);
  return {
    add: {
      ...(wish.automate ? { automated: set } : {}),
      ...(wish.lock ? lockBy(cause) : {}),
      ...(wish.tagAll ? { [tagAllPolicy]: normalizePattern(wish.tagAll) } : {}),
      ...tagPolicies(tags.filter(({ pattern }) => pattern !== "*")),
    },
    remove: {
      ...(wish.deautomate ? { automated: set } : {}),
      ...(wish.unlock ? { locked: set, locked_msg: set, locked_user: set } : {}),
      ...Object.fromEntries(
        tags
          .filter(({ pattern }) => pattern === "*")
          .map(({ container }) => [tagPolicyOf(container), set] as const),
      ),
    },
  };
}

/** Throws UsageError for a wish and its opposite. */
export function refuseOpposites({ automate, deautomate, lock, unlock }: PolicyWish): void {
  if (automate && deautomate) {
    throw new UsageError("automate and deautomate both specified");
  }
  if (lock && unlock) {
    throw new UsageError("lock and unlock both specified");
  }
}

function lockBy({ user, message }: Cause): PolicySet {
  return user === "" ? { locked: set } : { locked: set, locked_user: user, locked_msg: message };
}

interface Tag {
  readonly container: string;
  readonly pattern: string;
}

/** As Flux v1, a pattern cannot hold an equals sign. */
function parseTag(pair: string): Tag {
  const [container, pattern, ...others] = pair.split("=");
  if (container === undefined || pattern === undefined || others.length > 0) {
    throw new UsageError(
      `invalid container/tag pair: ${quoteGo(pair)}. Expected format is 'container=filter'`,
    );
  }
  return { container, pattern };
}

function tagPolicies(tags: readonly Tag[]): PolicySet {
  return Object.fromEntries(
    tags.map(({ container, pattern }) => [tagPolicyOf(container), normalizePattern(pattern)] as const),
  );
}

/**
 * A pattern with its sort in front: one that names none is a glob. Not by image/tag-pattern, which would load
 * what it takes to match one.
 */
function normalizePattern(pattern: string): string {
  if (pattern.startsWith("regex:")) {
    return `regexp:${pattern.slice("regex:".length)}`;
  }
  return /^(glob|semver|regexp):/.test(pattern) ? pattern : `glob:${pattern}`;
}
