/**
 * Why a file can't be edited: invalid YAML, or a manifest whose structure the edit doesn't support. `line` is counted
 * from 1, if it's known.
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
