/** The lines between which a part of a file is generated. */
export interface RegionMarks {
  readonly begin: string;
  readonly end: string;
}

/** The text with `content` between the two marks. Throws if it lacks them. */
export function withRegion(text: string, { begin, end }: RegionMarks, content: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`the file must have the lines ${begin} and ${end}`);
  }
  return `${text.slice(0, from)}${begin}\n${content}${text.slice(to)}`;
}
