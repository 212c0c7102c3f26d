import { changelogEntry, unreleasedEntry } from "./changelog.ts";

/** What a release is decided by. */
export interface ReleaseFacts {
  /** What the person asked for. */
  readonly version: string;
  /** As `git status --porcelain` prints them: files that differ from the commit. */
  readonly dirty: readonly string[];
  /** The tags of the repository. */
  readonly tags: readonly string[];
  /** The content of CHANGELOG.md. */
  readonly changelog: string;
  /** The version in package.json. */
  readonly packageVersion: string;
  /** Where the release would be written. */
  readonly out: string;
  /** True if something is there. */
  readonly outExists: boolean;
}

/** As on semver.org, without build metadata: "+" can't be in the tag of an image. */
const releaseVersion = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

const shownFiles = 5;

/** Why this version can't be released from this state of the repository, each with the remedy; none if it can. */
export function refusals(facts: ReleaseFacts): readonly string[] {
  if (!releaseVersion.test(facts.version)) {
    return [`"${facts.version}" isn't a version: write it like 1.2.3 or 1.2.3-rc.1, without a "v"`];
  }
  return [...ofTree(facts), ...ofVersion(facts), ...ofChangelog(facts)];
}

function ofTree({ dirty }: ReleaseFacts): readonly string[] {
  if (dirty.length === 0) {
    return [];
  }
  const names = dirty.slice(0, shownFiles).map((line) => line.slice(3));
  const more = dirty.length > shownFiles ? ` and ${dirty.length - shownFiles} more` : "";
  return [
    `the working tree differs from the commit: ${names.join(", ")}${more}; commit or remove these changes first`,
  ];
}

function ofVersion({ version, tags, out, outExists }: ReleaseFacts): readonly string[] {
  const tag = tags.find((each) => each === `v${version}` || each === version);
  const tagged =
    tag === undefined ? [] : [`${version} exists: git has the tag ${tag}; choose another version`];
  const built = outExists ? [`${version} exists in ${out}; remove that folder to build it again`] : [];
  return [...tagged, ...built];
}

function ofChangelog({ version, changelog, packageVersion }: ReleaseFacts): readonly string[] {
  const entry = changelogEntry(changelog, version);
  if (entry === undefined) {
    return unreleasedEntry(changelog) === ""
      ? [`CHANGELOG.md says nothing of ${version}: write what is new below "## Unreleased"`]
      : [];
  }
  // Its entry was made when it was released, and package.json has moved on.
  return version === packageVersion
    ? []
    : [`${version} exists: CHANGELOG.md has its entry, and package.json is at ${packageVersion}`];
}
