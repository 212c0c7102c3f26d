/**
 * Parses and compares versions like github.com/Masterminds/semver/v3 3.1.1: accepts a leading "v" and missing minor and
 * patch numbers, and ignores build metadata.
 */

/** A number in a version; a bigint if a double can't represent it. */
export type VersionNumber = number | bigint;

/** A version; missing parts of "v1" or "1.2" are 0. */
export interface Version {
  readonly major: VersionNumber;
  readonly minor: VersionNumber;
  readonly patch: VersionNumber;
  /** The part after the "-"; "" for a release. */
  readonly prerelease: string;
}

const versionPattern =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
const paddedNumber = /^0[0-9]+$/;
const digits = /^[0-9]+$/;

/** The largest number in a version, which is the largest uint64 in Go. */
const largest = 0xffff_ffff_ffff_ffffn;

/** Parses a version; undefined if the text isn't one. */
export function parseVersion(text: string): Version | undefined {
  const match = versionPattern.exec(text);
  if (!match) {
    return undefined;
  }
  const [, major = "", minor = "0", patch = "0", prerelease = ""] = match;
  const numbers = [parseNumber(major), parseNumber(minor), parseNumber(patch)] as const;
  const [first, second, third] = numbers;
  if (first === undefined || second === undefined || third === undefined || hasPaddedNumber(prerelease)) {
    return undefined;
  }
  return { major: first, minor: second, patch: third, prerelease };
}

/** Compares versions, the older one first: negative, 0, or positive. A pre-release comes before its release. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

function parseNumber(text: string): VersionNumber | undefined {
  if (text.length <= 15) {
    return Number(text);
  }
  const value = BigInt(text);
  if (value > largest) {
    return undefined;
  }
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

function hasPaddedNumber(prerelease: string): boolean {
  return prerelease.split(".").some((part) => paddedNumber.test(part));
}

function compareNumbers(a: VersionNumber, b: VersionNumber): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparePrereleases(a: string, b: string): number {
  if (a === "" || b === "") {
    return a === b ? 0 : a === "" ? 1 : -1;
  }
  const partsA = a.split(".");
  const partsB = b.split(".");
  for (let i = 0; i < Math.max(partsA.length, partsB.length); i++) {
    const order = comparePrereleaseParts(partsA[i], partsB[i]);
    if (order !== 0) {
      return order;
    }
  }
  return 0;
}

/** Numbers come before words, and a missing part comes first. */
function comparePrereleaseParts(a: string | undefined, b: string | undefined): number {
  if (a === b) {
    return 0;
  }
  if (a === undefined || b === undefined) {
    return a === undefined ? -1 : 1;
  }
  const numberA = numberOf(a);
  const numberB = numberOf(b);
  if (numberA !== undefined && numberB !== undefined) {
    return numberA > numberB ? 1 : -1;
  }
  if (numberA === undefined && numberB === undefined) {
    return a > b ? 1 : -1;
  }
  return numberA === undefined ? 1 : -1;
}

function numberOf(text: string): VersionNumber | undefined {
  return digits.test(text) ? parseNumber(text) : undefined;
}
