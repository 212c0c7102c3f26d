/** Why a signature wasn't accepted. */
export interface SignatureProblem {
  /** The ID of the key; "" if there's none. */
  readonly key: string;
  /** Whose key it is, if that's known. */
  readonly signer?: string;
  readonly reason: string;
}

/**
 * What marks the last synced commit isn't signed properly, so nothing can be verified. The message is Flux v1's, and
 * doesn't say why; the problem does.
 */
export class UnverifiedError extends Error {
  override readonly name = "UnverifiedError";
  readonly problem: SignatureProblem;

  constructor(message: string, { key, signer, reason }: SignatureProblem) {
    super(message);
    this.problem = { key, ...(signer === undefined ? {} : { signer }), reason };
  }
}
