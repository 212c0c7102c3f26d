import type { JobFailedError } from "./await-job.ts";

/**
 * True where a sync job failed only because the branch head has no valid signature: everything up to the last commit
 * that has one is applied all the same, and the result names that commit.
 *
 * The job status has no field for the reason. So these words, which Flux v1's fluxctl looks for too, are all there is to
 * go by.
 */
export function isUnverifiedHead({ message }: JobFailedError): boolean {
  return (
    message.includes("branch HEAD in the git repo is not verified") &&
    message.includes("last verified commit was")
  );
}
