import type { JobFailedError } from "./await-job.ts";

/**
 * True where a sync job failed only because the branch head has no valid signature: everything up to the last commit
 * that has one is applied all the same, and the result names that commit.
 *
 * Only the fluxd of Flux v1 fails in this way, and its job status has no field for the reason. So these words, which
 * Flux v1's fluxctl looks for too, are all there is to go by. Weir's fluxd doesn't check signatures: it refuses to start
 * where it is told to.
 */
export function isUnverifiedHead({ message }: JobFailedError): boolean {
  return (
    message.includes("branch HEAD in the git repo is not verified") &&
    message.includes("last verified commit was")
  );
}
