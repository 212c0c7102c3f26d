import type { Told } from "./advice.ts";

/** There is no way to the daemon's pod; the message is for people, as Flux v1's. */
export class ForwardError extends Error implements Told {
  override readonly name = "ForwardError";
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}
