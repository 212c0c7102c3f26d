import { KubeApiError, type KubeObject, scrubSecrets } from "@weir/kube";
import { ConnectionError } from "@weir/kube/rest";
import { kubectlMessage } from "./error-message.ts";

/**
 * The server refused an operation on one object, or couldn't be reached. The message is kubectl's, without
 * quoted values of Secrets. It has no cause, which would quote them.
 */
export class OperationError extends Error {
  override readonly name = "OperationError";
  /** The server's machine-readable reason; "" if it gave none or didn't respond. */
  readonly reason: string;
  /** True if the operation may have taken effect although no response arrived. */
  readonly mayBeDone: boolean;

  constructor(message: string, reason: string, mayBeDone = false) {
    super(message);
    this.reason = reason;
    this.mayBeDone = mayBeDone;
  }
}

/** The attempted operation, for error messages. */
export interface Attempt {
  /** As in kubectl: "creating", "patching", … */
  readonly verb: string;
  /** The objects that the server may quote. */
  readonly objects: readonly (KubeObject | undefined)[];
  readonly signal: AbortSignal;
}

/** Converts any error of an attempt to an OperationError; an abort stays an abort. */
export function operationError(error: unknown, { verb, objects, signal }: Attempt): unknown {
  if (signal.aborted || error instanceof OperationError) {
    return error;
  }
  const reason = error instanceof KubeApiError ? error.status.reason : "";
  const message = scrubSecrets(kubectlMessage(error, verb), objects);
  return new OperationError(message, reason, error instanceof ConnectionError && error.sent);
}
