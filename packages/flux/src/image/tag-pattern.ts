import { globMatches, parseVersion } from "@weir/base";
import { parseVersionConstraint, satisfies } from "@weir/base/semver-constraint";
import { RE2JS } from "re2js";

/** The tags of an image that a workload accepts. Based on Flux's policy.Pattern. */
export interface TagPattern {
  readonly kind: "glob" | "semver" | "regexp";
  /** The pattern with its prefix: "glob:", "semver:" or "regexp:". */
  readonly text: string;
  /** False for an invalid constraint or expression; it matches everything, but must not be written to manifests. */
  readonly isValid: boolean;
  matches(tag: string): boolean;
}

/** Matches every tag. */
export const everyTag: TagPattern = parseTagPattern("glob:*");

/** Parses "glob:<p>", "semver:<constraint>", "regexp:<re>", or "regex:<re>"; without a prefix, it's a glob. */
export function parseTagPattern(text: string): TagPattern {
  const [, prefix, body = ""] = /^(semver|regexp|regex|glob):([^]*)$/.exec(text) ?? [];
  switch (prefix) {
    case "semver":
      return semverPattern(body);
    case "regexp":
    case "regex":
      return regexpPattern(body);
    case "glob":
      return globPattern(body);
    default:
      return globPattern(text);
  }
}

/** True if the pattern orders images by creation time, so each image must have one. */
export function needsTimestamps(pattern: TagPattern): boolean {
  return pattern.kind !== "semver";
}

function globPattern(glob: string): TagPattern {
  return {
    kind: "glob",
    text: `glob:${glob}`,
    isValid: true,
    matches: (tag) => globMatches(glob, tag),
  };
}

function semverPattern(text: string): TagPattern {
  const constraint = parseVersionConstraint(text);
  return {
    kind: "semver",
    text: `semver:${text}`,
    isValid: constraint !== undefined,
    matches: (tag) => {
      const version = parseVersion(tag);
      return version !== undefined && (constraint === undefined || satisfies(version, constraint));
    },
  };
}

function regexpPattern(text: string): TagPattern {
  const expression = compileRegexp(text);
  return {
    kind: "regexp",
    text: `regexp:${text}`,
    isValid: expression !== undefined,
    matches: (tag) => expression?.test(tag) ?? true,
  };
}

/** Matches in linear time for any expression and any tag. */
function compileRegexp(text: string): RE2JS | undefined {
  try {
    return RE2JS.compile(text);
  } catch {
    return undefined;
  }
}
