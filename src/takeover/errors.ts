/** What is wrong with a switch cannot be told; the advice says what to do. */
export class TakeoverError extends Error {
  override readonly name = "TakeoverError";
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}
