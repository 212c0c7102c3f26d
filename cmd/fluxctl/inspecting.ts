import { FluxError } from "../../src/base/errors.ts";

/** The daemon does not know what a command asks for: it is a Flux v1, or an older Weir. */
export class OldDaemonError extends Error {
  override readonly name = "OldDaemonError";

  constructor(what: string) {
    super(
      `this daemon cannot be asked for ${what}: Flux v1 has nothing like it. Run Weir's fluxd in its place, in this version or a later one`,
    );
  }
}

/** What a daemon of Weir answers to what Flux v1 cannot be asked. Rejects with OldDaemonError where it is not known. */
export async function inspecting<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof FluxError && error.kind === "missing" && error.help.includes("/v12/")
      ? new OldDaemonError(what)
      : error;
  }
}
