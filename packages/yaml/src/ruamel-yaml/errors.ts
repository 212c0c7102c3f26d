/**
 * Why a file cannot be edited: malformed YAML, or a manifest of a shape that the edit does not fit. `line`
 * counts from 1 where the place is known.
 */
export class EditError extends Error {
  override readonly name = "EditError";
  readonly reason: string;
  readonly line: number | undefined;

  constructor(reason: string, line?: number, options?: ErrorOptions) {
    super(line === undefined ? reason : `line ${line}: ${reason}`, options);
    this.reason = reason;
    this.line = line;
  }
}
