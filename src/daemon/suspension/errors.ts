import { FluxError } from "@weir/flux";
import { describeSuspensions, type Suspension } from "@weir/flux/api";

/** A sync was stopped because syncing was suspended; it isn't a failure. */
export class SuspendedError extends Error {
  override readonly name = "SuspendedError";
}

/** The answer to a request for a sync while syncing is suspended. */
export function syncSuspendedError(suspension: Suspension): FluxError {
  const message = describeSuspensions([suspension]).join("");
  return new FluxError(
    "user",
    message,
    `Syncing is suspended

fluxd does not sync, because
${message}.

To resume it, run

    fluxctl resume sync
`,
  );
}
