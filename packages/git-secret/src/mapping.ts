/**
 * The names of the hidden files, from the text of `paths/mapping.cfg`: a line for each file, with its name up to the
 * first colon and its hash. Reads lines as git-secret does: surrounding blanks don't count, and neither does a last line
 * without a line break.
 */
export function parseMapping(text: string): readonly string[] {
  return text
    .replaceAll("\0", "")
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, "").replace(/:.*$/s, ""));
}
