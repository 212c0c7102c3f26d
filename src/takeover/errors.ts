/** The switch can't be checked; the advice says what to do. */
export class TakeoverError extends Error {
  override readonly name = "TakeoverError";
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}
