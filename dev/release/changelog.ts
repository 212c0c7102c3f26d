const unreleased = "## Unreleased";

/** What the changelog says of a version, without its heading; undefined if it says nothing of it. */
export function changelogEntry(changelog: string, version: string): string | undefined {
  return sectionsOf(changelog).find(({ heading }) => isHeadingOf(heading, version))?.text;
}

/** What would become the entry of the next version, without its heading; "" if there's nothing. */
export function unreleasedEntry(changelog: string): string {
  return sectionsOf(changelog).find(({ heading }) => heading === unreleased)?.text ?? "";
}

/**
 * The changelog in which what is unreleased has become the entry of a version, of a day such as "2026-03-31". A
 * changelog that has an entry of the version is returned as it is.
 */
export function withRelease(changelog: string, version: string, day: string): string {
  if (changelogEntry(changelog, version) !== undefined) {
    return changelog;
  }
  return changelog.replace(unreleased, `${unreleased}\n\n## ${version} (${day})`);
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

function sectionsOf(changelog: string): readonly Section[] {
  const [, ...sections] = `\n${changelog}`.split(/\n(?=## )/);
  return sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n");
    return { heading, text: lines.join("\n").trim() };
  });
}

function isHeadingOf(heading: string, version: string): boolean {
  return heading === `## ${version}` || heading.startsWith(`## ${version} (`);
}
