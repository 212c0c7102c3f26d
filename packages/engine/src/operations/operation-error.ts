import { KubeApiError, type KubeObject, scrubSecrets } from "@weir/kube";
import { ConnectionError } from "@weir/kube/rest";
import { kubectlMessage } from "./error-message.ts";

/**
 * An operation on one object was refused, or the server could not be asked. The message is what kubectl would
 * print, less what it quotes of Secrets. It has no cause: that would quote them again.
 */
export class OperationError extends Error {
  override readonly name = "OperationError";
  /** The server's word for machines, "" where it gave none or did not answer. */
  readonly reason: string;
  /** True where the server may have done it all the same: its answer did not come. */
  readonly mayBeDone: boolean;

  constructor(message: string, reason: string, mayBeDone = false) {
    super(message);
    this.reason = reason;
    this.mayBeDone = mayBeDone;
  }
}

/** What was tried, for the words of an error. */
export interface Attempt {
  /** As kubectl says it: "creating", "patching", … */
  readonly verb: string;
  /** The objects that the server may quote. */
  readonly objects: readonly (KubeObject | undefined)[];
  readonly signal: AbortSignal;
}

/** Turns whatever an attempt threw into an OperationError; an abort stays what it is. */
export function operationError(error: unknown, { verb, objects, signal }: Attempt): unknown {
  if (signal.aborted || error instanceof OperationError) {
    return error;
  }
  const reason = error instanceof KubeApiError ? error.status.reason : "";
  const message = scrubSecrets(kubectlMessage(error, verb), objects);
  return new OperationError(message, reason, error instanceof ConnectionError && error.sent);
}
