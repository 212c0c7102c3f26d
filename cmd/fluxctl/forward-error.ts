import type { Told } from "./advice.ts";

/** The daemon's pod can't be reached; the message is Flux v1's. */
export class ForwardError extends Error implements Told {
  override readonly name = "ForwardError";
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}
