import { FluxError } from "./flux-error.ts";

/** Nothing was done since too much else is to be done; `reason` says of what there is too much. */
export function busyError(reason: string): FluxError {
  return new FluxError(
    "busy",
    `fluxd is busy: ${reason}`,
    `fluxd is busy

Nothing was done: ${reason}.

fluxd takes requests again when it has worked off what it has. Try again
in a while. If this goes on, see who sends so many requests: fluxd logs
the jobs that it does, and \`fluxctl events\` lists the last ones.
`,
  );
}
