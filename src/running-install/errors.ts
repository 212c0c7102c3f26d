/** The installation can't be found or read; the advice says what to do. */
export class RunningInstallError extends Error {
  override readonly name = "RunningInstallError";
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}
