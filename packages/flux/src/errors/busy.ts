import { FluxError } from "./flux-error.ts";

/** The error for a request that was refused because too much other work is waiting; `reason` says what. */
export function busyError(reason: string): FluxError {
  return new FluxError(
    "busy",
    `fluxd is busy: ${reason}`,
    `fluxd is busy

The request was refused: ${reason}.

fluxd takes requests again when it has worked off what it has. Try again
in a while. If this goes on, see who sends so many requests: fluxd logs
the jobs that it does, and \`fluxctl events\` lists the last ones.
`,
  );
}
