/**
 * The licenses that a machine-readable copyright file of a Debian package (DEP-5) names: an expression for each of its
 * groups of files, such as "GPL-2+ or Artistic". Undefined if the file is of another kind.
 */
export function licensesInCopyright(text: string): readonly string[] | undefined {
  const [header = "", ...stanzas] = text.replaceAll("\r", "").split(/\n(?:[ \t]*\n)+/);
  if (!/^Format:.*copyright-format/im.test(header)) {
    return undefined;
  }
  // A stanza without files has the text of a license, which others name.
  const ofFiles = stanzas.filter((stanza) => /^Files:/im.test(stanza));
  // What the header says is a summary, if it says anything.
  const summary = [licenseOf(header)].filter((license) => license !== "");
  return [...new Set([...summary, ...ofFiles.map(licenseOf)])];
}

function licenseOf(stanza: string): string {
  return /^License:[ \t]*(.*?)[ \t]*$/im.exec(stanza)?.[1] ?? "";
}

/** True if `isAllowed` is true of what a license expression demands. In DEP-5, a comma binds less than "and" and "or". */
export function isFulfilled(expression: string, isAllowed: (license: string) => boolean): boolean {
  const fulfilled = (part: string): boolean => isFulfilled(part, isAllowed);
  for (const [separator, combine] of connectives) {
    const parts = expression.split(separator);
    if (parts.length > 1) {
      return combine === "and" ? parts.every(fulfilled) : parts.some(fulfilled);
    }
  }
  return isAllowed(expression.trim());
}

/** The one that binds least comes first. */
const connectives: readonly (readonly [separator: RegExp, combine: "and" | "or"])[] = [
  [/,\s*and\s+/i, "and"],
  [/,\s*or\s+/i, "or"],
  [/\s+(?:and\/)?or\s+/i, "or"],
  [/\s+and\s+/i, "and"],
];
