import { UnknownEndpointError } from "../../src/api/types/errors.ts";

/** The daemon does not know what a command asks for: it is a Flux v1, or an older Weir. */
export class OldDaemonError extends Error {
  override readonly name = "OldDaemonError";

  constructor(what: string) {
    super(
      `this daemon does not support ${what}. Flux v1 does not have this feature; run this version of Weir's fluxd, or a later one`,
    );
  }
}

/** Waits for an answer that only Weir gives. Rejects with OldDaemonError where the daemon does not know the request. */
export async function requireWeir<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof UnknownEndpointError ? new OldDaemonError(what) : error;
  }
}
