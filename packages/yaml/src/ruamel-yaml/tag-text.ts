const standard = "tag:yaml.org,2002:";

/** Prints tags in short form if possible, with escapes for characters that aren't allowed in tags. */
export class TagPrinter {
  readonly #printed = new Map<string, string>();

  /** The printed form of a tag. */
  print(tag: string): string {
    const known = this.#printed.get(tag);
    if (known !== undefined) {
      return known;
    }
    const text = printTag(tag);
    this.#printed.set(tag, text);
    return text;
  }
}

function printTag(tag: string): string {
  if (tag === "!") {
    return tag;
  }
  if (tag.startsWith(standard) && tag.length > standard.length) {
    return `!!${escapeSuffix(tag.slice(standard.length), true)}`;
  }
  return tag.startsWith("!") ? `!${escapeSuffix(tag.slice(1), false)}` : `!<${escapeSuffix(tag, true)}>`;
}

function escapeSuffix(suffix: string, mayHaveMark: boolean): string {
  return suffix.replaceAll(/[^0-9A-Za-z\-;/?:@&=+$,_.~*'()[\]]/gu, (char) =>
    char === "!" && mayHaveMark ? char : `%${hex(char.codePointAt(0) ?? 0)}`,
  );
}

function hex(point: number): string {
  return point.toString(16).toUpperCase().padStart(2, "0");
}
