import { UnknownEndpointError } from "@weir/flux/api";

/**
 * Waits for a response that only Weir gives. Rejects with OldDaemonError if the daemon doesn't know the
 * request.
 */
export async function requireWeir<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof UnknownEndpointError ? new OldDaemonError(what) : error;
  }
}

/** The daemon doesn't support a command's request: it's Flux v1, or an older Weir. */
export class OldDaemonError extends Error {
  override readonly name = "OldDaemonError";

  constructor(what: string) {
    super(
      `this daemon does not support ${what}. Flux v1 does not have this feature; run this version of Weir's fluxd, or a later one`,
    );
  }
}
