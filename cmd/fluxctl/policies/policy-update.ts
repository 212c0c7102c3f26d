import { quoteGo } from "@weir/base";
import { type Cause, type PolicySet, type PolicyUpdate, tagAllPolicy, tagPolicyOf } from "@weir/flux";
import { UsageError } from "../command.ts";

/** The requested policies of a workload. */
export interface PolicyWish {
  readonly automate?: boolean;
  readonly deautomate?: boolean;
  readonly lock?: boolean;
  readonly unlock?: boolean;
  /** A tag pattern for all containers; "" for none. */
  readonly tagAll?: string;
  /** "container=pattern". */
  readonly tags?: readonly string[];
}

const set = "true";

/**
 * The policies to add and to remove. A lock also records the user, if known. Throws UsageError for a tag that
 * isn't a pair.
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

/** Throws UsageError for contradictory requests. */
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

/** As Flux v1, a pattern can't contain an equals sign. */
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
 * A pattern with the prefix of its type; a pattern without one is a glob. Doesn't use image/tag-pattern,
 * which would load the code for matching.
 */
function normalizePattern(pattern: string): string {
  if (pattern.startsWith("regex:")) {
    return `regexp:${pattern.slice("regex:".length)}`;
  }
  return /^(glob|semver|regexp):/.test(pattern) ? pattern : `glob:${pattern}`;
}
