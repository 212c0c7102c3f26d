import type { ResourceError } from "@weir/flux";

/** The errors of a sync on one line for the log, as Flux v1 prints them: "id: error; id: error". */
export function syncErrorText(errors: readonly ResourceError[]): string {
  return errors.map(({ id, error }) => `${id}: ${error}`).join("; ");
}
