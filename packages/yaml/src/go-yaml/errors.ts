/**
 * A YAML syntax or decoding error. The message is that of Go's yaml.v2, which users know, but without texts from the
 * document: an invalid value may be a password.
 */
export class YamlError extends Error {
  override readonly name = "YamlError";
  /** Counted from 1; undefined if the error isn't about a line. Can differ from the line in the message. */
  readonly line: number | undefined;

  constructor(problem: string, line?: number) {
    super(`yaml: ${problem}`);
    this.line = line;
  }
}

/** An error in the meaning of a node, on a line counted from 0. yaml.v2 names no line here, but quotes the node. */
export function meaningError(problem: string, line: number): YamlError {
  return new YamlError(`${problem} (line ${line + 1})`, line + 1);
}

/** The remedy for a document that exceeds a limit. */
export const tooLargeRemedy =
  "API servers don't accept this much at once; split it into several documents, or move the file out of the git paths";

/** An error of the scanner, on a line counted from 0. yaml.v2 doesn't name the first line. */
export function scannerError(problem: string, line: number): YamlError {
  return new YamlError(line === 0 ? problem : `line ${line + 1}: ${problem}`, line + 1);
}

/**
 * An error of the grammar on a line counted from 0, in a node that starts at `context`. yaml.v2 names the line before,
 * or the one before the node if that would be line 0.
 */
export function grammarError(problem: string, line: number, context = 0): YamlError {
  const named = line === 0 ? context : line;
  return new YamlError(named === 0 ? problem : `line ${named}: ${problem}`, line + 1);
}
