/** A tag filter as Flux takes it: what it lets through, and by what it sorts. pkg/policy/pattern.go. */
export interface ModelFilter {
  readonly by: "time" | "version";
  matches(tag: string): boolean;
}

/** How a filter that is no pattern at all matches. */
const everything = (): boolean => true;

/** The constraints and expressions that generators write, each with what it means in words of its own. */
const semver: Readonly<Record<string, (version: Version) => boolean>> = {
  "*": (version) => isRelease(version),
  "^1": (version) => isRelease(version) && version.major === 1,
  "1.x": (version) => isRelease(version) && version.major === 1,
  "~1.2": (version) => isRelease(version) && version.major === 1 && version.minor === 2,
  "^0.2": (version) => isRelease(version) && version.major === 0 && version.minor === 2,
  ">=1.2.3": (version) => isRelease(version) && atLeast(version, 1, 2, 3),
  ">=1.0.0 <2.0.0": (version) => isRelease(version) && version.major === 1,
  "<1.0.0 || >=2.0.0": (version) => isRelease(version) && version.major !== 1,
  "1.2.3": (version) => isRelease(version) && equals(version, 1, 2, 3),
  // The one constraint for which a pre-release is a version like any other.
  "!=1.2.3": (version) => !(isRelease(version) && equals(version, 1, 2, 3)),
  ">=1.0.0-0": (version) => atLeast(version, 1, 0, 0) || (equals(version, 1, 0, 0) && version.pre !== ""),
  "no constraint": everything,
};

const regexps: Readonly<Record<string, (tag: string) => boolean>> = {
  "^main-": (tag) => tag.startsWith("main-"),
  "1": (tag) => tag.includes("1"),
  "^\\d+\\.\\d+$": (tag) => /^[0-9]+[.][0-9]+$/.test(tag),
  "(?i)latest": (tag) => tag.toLowerCase().includes("latest"),
  "(": everything,
};

/** The constraints that readFilter knows. */
export const knownConstraints: readonly string[] = Object.keys(semver);
/** The regular expressions that readFilter knows. */
export const knownExpressions: readonly string[] = Object.keys(regexps);

/** Reads a filter: any glob, and the constraints and expressions above. */
export function readFilter(text: string): ModelFilter {
  if (text.startsWith("semver:")) {
    const allows = known(semver, text.slice("semver:".length));
    return { by: "version", matches: (tag) => mapVersion(tag, allows) };
  }
  const expression = ["regexp:", "regex:"].find((prefix) => text.startsWith(prefix));
  if (expression !== undefined) {
    return { by: "time", matches: known(regexps, text.slice(expression.length)) };
  }
  const glob = text.startsWith("glob:") ? text.slice("glob:".length) : text;
  return { by: "time", matches: (tag) => matchesGlob(glob.split("*"), tag) };
}

/** True where Flux refuses to write the filter. */
export function isRefused(text: string): boolean {
  return text === "semver:no constraint" || /^regexp?:\($/.test(text);
}

/** True where a filter lets a tag through that is to be released: "latest" only where just that is asked for. */
export function allows(text: string, tag: string): boolean {
  const asksForLatest = text === "latest" || text === "glob:latest";
  return (tag.toLowerCase() !== "latest" || asksForLatest) && readFilter(text).matches(tag);
}

/** A version as Flux's library reads it, which takes "v1" and "1.2" for whole ones. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly pre: string;
}

/** The version that a tag is, if it is one. */
export function readVersion(tag: string): Version | undefined {
  const match =
    /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/.exec(
      tag,
    );
  return (
    (match && {
      major: Number(match[1]),
      minor: Number(match[2] ?? 0),
      patch: Number(match[3] ?? 0),
      pre: match[4] ?? "",
    }) ??
    undefined
  );
}

/** Negative where the first version is the lower one. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePre(a.pre, b.pre);
}

function comparePre(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  if (a === "" || b === "") {
    return a === "" ? 1 : -1;
  }
  const [left, right] = [a.split("."), b.split(".")];
  const at = left.findIndex((part, index) => part !== right[index]);
  const [x, y] = [left[at], right[at < 0 ? left.length : at]];
  if (x === undefined || y === undefined) {
    return x === undefined ? -1 : 1;
  }
  const [m, n] = [/^\d+$/.test(x), /^\d+$/.test(y)];
  return m && n ? Number(x) - Number(y) : m !== n ? (m ? -1 : 1) : x < y ? -1 : 1;
}

function mapVersion(tag: string, allows: (version: Version) => boolean): boolean {
  const version = readVersion(tag);
  return version !== undefined && allows(version);
}

function matchesGlob([first = "", ...others]: readonly string[], tag: string): boolean {
  if (others.length === 0) {
    return tag === first;
  }
  if (!tag.startsWith(first)) {
    return false;
  }
  const rest = tag.slice(first.length);
  return Array.from({ length: rest.length + 1 }).some((_, start) => matchesGlob(others, rest.slice(start)));
}

function isRelease({ pre }: Version): boolean {
  return pre === "";
}

function atLeast(version: Version, major: number, minor: number, patch: number): boolean {
  return compareVersions(version, { major, minor, patch, pre: "" }) >= 0;
}

function equals(version: Version, major: number, minor: number, patch: number): boolean {
  return version.major === major && version.minor === minor && version.patch === patch;
}

function known<T>(meanings: Readonly<Record<string, T>>, text: string): T {
  const meaning = meanings[text];
  if (meaning === undefined) {
    throw new Error(`the model knows no ${text}: give it a meaning`);
  }
  return meaning;
}
