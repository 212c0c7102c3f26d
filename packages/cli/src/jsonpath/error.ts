/** A template is invalid, or doesn't fit the value that it's applied to. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
  /** Where the template goes wrong, in characters counted from 1. */
  readonly position: number;

  constructor(position: number, problem: string, remedy: string) {
    super(`jsonpath template, character ${position}: ${problem}; ${remedy}`);
    this.position = position;
  }
}
