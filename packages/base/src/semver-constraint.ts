import { RE2JS } from "re2js";
import { compareVersions, parseVersion, type Version } from "./semver.ts";

/**
 * A version constraint such as ">=1.2 <2 || ~3.1": all comparisons of one of the lists must be true. The rules and the
 * grammar are those of github.com/Masterminds/semver/v3 3.1.1.
 */
export interface VersionConstraint {
  readonly anyOf: readonly (readonly Comparison[])[];
}

/** One comparison of a constraint. */
interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** The parts that the constraint leaves open, with a wildcard or by omitting them. */
  readonly open: "nothing" | "patch" | "minor" | "all";
}

const operators = "=||!=|>|<|>=|=>|<=|=<|~|~>|\\^";
const looseVersion =
  "v?([0-9|x|X|\\*]+)(\\.[0-9|x|X|\\*]+)?(\\.[0-9|x|X|\\*]+)?" +
  "(-([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?(\\+([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?";

/**
 * The grammar is ambiguous (the number 12 can be one version or two), so it needs an engine that never backtracks. It's
 * compiled when it's first used: that takes long, and most programs never need it.
 */
const rangePattern = onUse(`\\s*(${looseVersion})\\s+-\\s+(${looseVersion})\\s*`);
const listPattern = onUse(`^(\\s*(${operators})\\s*(${looseVersion})\\s*\\,?)+$`);
const itemPattern = onUse(`(${operators})\\s*(${looseVersion})`);
const comparisonPattern = onUse(`^\\s*(${operators})\\s*(${looseVersion})\\s*$`);

function onUse(pattern: string): () => RE2JS {
  let compiled: RE2JS | undefined;
  return () => (compiled ??= RE2JS.compile(pattern));
}

/** Parses a constraint; undefined if the text isn't one. */
export function parseVersionConstraint(text: string): VersionConstraint | undefined {
  const anyOf = rewriteRanges(text).split("||").map(parseComparisons);
  return anyOf.every((comparisons) => comparisons !== undefined) ? { anyOf } : undefined;
}

/** True if the version satisfies the constraint. A pre-release does only if the constraint names one. */
export function satisfies(version: Version, constraint: VersionConstraint): boolean {
  return constraint.anyOf.some((comparisons) =>
    comparisons.every((comparison) => holds(comparison, version)),
  );
}

/** "1 - 2" means ">= 1, <= 2". */
function rewriteRanges(text: string): string {
  const matcher = rangePattern().matcher(text);
  let rewritten = text;
  while (matcher.find()) {
    const range = `>= ${matcher.group(1) ?? ""}, <= ${matcher.group(11) ?? ""}`;
    rewritten = rewritten.replace(matcher.group() ?? "", () => range);
  }
  return rewritten;
}

function parseComparisons(text: string): readonly Comparison[] | undefined {
  if (!listPattern().matcher(text).find()) {
    return undefined;
  }
  const matcher = itemPattern().matcher(text);
  const comparisons: Comparison[] = [];
  while (matcher.find()) {
    const comparison = parseComparison(matcher.group() ?? "");
    if (comparison === undefined) {
      return undefined;
    }
    comparisons.push(comparison);
  }
  return comparisons;
}

function parseComparison(text: string): Comparison | undefined {
  const matcher = comparisonPattern().matcher(text);
  if (!matcher.find()) {
    return undefined;
  }
  const group = (index: number): string => matcher.group(index) ?? "";
  const [major, minor, patch, prerelease] = [group(3), group(4), group(5), group(6)];
  const open = isOpen(major) ? "all" : isOpen(minor) ? "minor" : isOpen(patch) ? "patch" : "nothing";
  const full = {
    all: "0.0.0",
    minor: `${major}.0.0${prerelease}`,
    patch: `${major}${minor}.0${prerelease}`,
    nothing: group(2),
  };
  const version = parseVersion(full[open]);
  return version && { operator: group(1), version, open };
}

function isOpen(part: string): boolean {
  return ["", "x", "X", "*"].includes(part.replace(/^\./, ""));
}

function holds(comparison: Comparison, version: Version): boolean {
  const namesPrerelease = comparison.version.prerelease !== "";
  const isPrerelease = version.prerelease !== "";
  // "!=" with all parts is the only comparison that always considers pre-releases.
  const looksAtAll = comparison.operator === "!=" && comparison.open === "nothing";
  return (!isPrerelease || namesPrerelease || looksAtAll) && holdsBeyondPrerelease(comparison, version);
}

function holdsBeyondPrerelease(comparison: Comparison, version: Version): boolean {
  switch (comparison.operator) {
    case "!=":
      return differs(comparison, version);
    case ">":
      return isGreater(comparison, version);
    case "<":
      return compareVersions(version, comparison.version) < 0;
    case ">=":
    case "=>":
      return compareVersions(version, comparison.version) >= 0;
    case "<=":
    case "=<":
      return isLessOrEqual(comparison, version);
    case "~":
    case "~>":
      return isClose(comparison, version);
    case "^":
      return isCompatible(comparison, version);
    default:
      return comparison.open === "nothing"
        ? compareVersions(version, comparison.version) === 0
        : isClose(comparison, version);
  }
}

function differs({ version: wanted, open }: Comparison, version: Version): boolean {
  switch (open) {
    case "minor":
      return version.major !== wanted.major;
    case "patch":
      return (
        version.major !== wanted.major ||
        version.minor !== wanted.minor ||
        version.prerelease !== wanted.prerelease
      );
    case "all":
    case "nothing":
      return compareVersions(version, wanted) !== 0;
  }
}

function isGreater({ version: wanted, open }: Comparison, version: Version): boolean {
  switch (open) {
    case "minor":
      return version.major > wanted.major;
    case "patch":
      return version.major === wanted.major ? version.minor > wanted.minor : version.major > wanted.major;
    case "all":
    case "nothing":
      return compareVersions(version, wanted) > 0;
  }
}

function isLessOrEqual({ version: wanted, open }: Comparison, version: Version): boolean {
  if (open === "nothing") {
    return compareVersions(version, wanted) <= 0;
  }
  return version.major === wanted.major
    ? open === "minor" || version.minor <= wanted.minor
    : version.major < wanted.major;
}

/** "~1.2.3": the same minor version, or the same major version if no minor one is given, and at least as new. */
function isClose({ version: wanted, open }: Comparison, version: Version): boolean {
  if (compareVersions(version, wanted) < 0) {
    return false;
  }
  const isZero = wanted.major === 0 && wanted.minor === 0 && wanted.patch === 0;
  if (isZero && open !== "minor" && open !== "patch") {
    return true;
  }
  return version.major === wanted.major && (open === "minor" || version.minor === wanted.minor);
}

/**
 * "^1.2.3": the same up to the first number that isn't 0, and at least as new. As in Masterminds/semver, below 0.1 only
 * the patch number is compared, so "^0.0.3" accepts 0.5.3.
 */
function isCompatible({ version: wanted, open }: Comparison, version: Version): boolean {
  if (compareVersions(version, wanted) < 0 || version.major !== wanted.major) {
    return false;
  }
  if (wanted.major > 0 || open === "minor") {
    return true;
  }
  if (wanted.minor > 0 || open === "patch") {
    return version.minor === wanted.minor;
  }
  return version.patch === wanted.patch;
}
