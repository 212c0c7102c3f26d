/**
 * Where and why YAML cannot be read. The message is the one that Go's yaml.v2 gives, which its users know, but
 * for texts of the document: what cannot be read may be a password.
 */
export class YamlError extends Error {
  override readonly name = "YamlError";
  /** Counts from 1; undefined where no line is to blame. May differ from the line that the message names. */
  readonly line: number | undefined;

  constructor(problem: string, line?: number) {
    super(`yaml: ${problem}`);
    this.line = line;
  }
}

/** What a node on a line that counts from 0 says cannot be. yaml.v2 names no line here, but quotes the node. */
export function meaningError(problem: string, line: number): YamlError {
  return new YamlError(`${problem} (line ${line + 1})`, line + 1);
}

/** What to do about a document that is larger than any that is read. */
export const tooLargeRemedy =
  "no API server takes so much at once: split it into several documents, or move the file out of the git paths";

/** An error of the scanner at a line that counts from 0. yaml.v2 does not name the first line. */
export function scannerError(problem: string, line: number): YamlError {
  return new YamlError(line === 0 ? problem : `line ${line + 1}: ${problem}`, line + 1);
}

/**
 * An error of the grammar at a line that counts from 0, in a node that begins at `context`. yaml.v2 names the
 * line before, and the one before the node where that would be line 0.
 */
export function grammarError(problem: string, line: number, context = 0): YamlError {
  const named = line === 0 ? context : line;
  return new YamlError(named === 0 ? problem : `line ${named}: ${problem}`, line + 1);
}
