/**
 * Parses the files that AWS's tools share, ~/.aws/credentials and ~/.aws/config. Pure.
 * https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
 */

/** The settings of each section. All names are in lower case, except those of sections. */
export type SharedSections = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Parses a file. Ignores lines that it can't parse, and nested settings. */
export function parseSharedFile(text: string): SharedSections {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  let indent = Infinity;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    const [, space = "", name, value = ""] = /^(\s*)([^#;=[\]\s][^=]*?)\s*=(.*)$/.exec(line) ?? [];
    if (header !== undefined) {
      section = sections.get(sectionName(header)) ?? new Map<string, string>();
      sections.set(sectionName(header), section);
      indent = Infinity;
    } else if (name !== undefined && space.length <= indent) {
      indent = space.length;
      section.set(name.toLowerCase(), valueOf(value));
    }
  }
  return sections;
}

/** "profile x", with or without quotes around the name. */
function sectionName(header: string): string {
  return header.trim().replaceAll(/\s+/g, " ").replaceAll(/["']/g, "");
}

function valueOf(text: string): string {
  const bare = text.replace(/\s[#;].*$/, "").trim();
  return /^(["'])(.*)\1$/.exec(bare)?.[2] ?? bare;
}
