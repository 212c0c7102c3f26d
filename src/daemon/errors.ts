import { FluxError } from "../base/errors.ts";

/**
 * The manifests in git could not be read; what callers of the API are told. As Flux v1: the text is the one
 * that its users and scripts know.
 */
export function manifestLoadError(reason: Error): FluxError {
  return new FluxError(
    "user",
    reason.message,
    `Unable to parse files as manifests

Flux was unable to parse the files in the git repo as manifests,
giving this error:

    ${reason.message}

Check that any files mentioned are well-formed, and resources are not
defined more than once. It's also worth reviewing

    https://fluxcd.io/legacy/flux/requirements/

to make sure you're not running into any corner cases.

If you think your files are all OK and you are still getting this
message, please log an issue at

    https://github.com/fluxcd/flux/issues

and include the problematic file, if possible.
`,
    { cause: reason },
  );
}

/** Nobody knows of this job: not the daemon, not the notes in git. */
export function unknownJobError(id: string): FluxError {
  return new FluxError(
    "missing",
    `unknown job ${JSON.stringify(id)}`,
    `Job not found

This is often because the job did not result in committing changes,
and therefore had no lasting effect. A release dry-run is an example
of a job that does not result in a commit.

If you were expecting changes to be committed, this may mean that the
job failed, but its status was lost.

In both of the above cases it is OK to retry the operation that
resulted in this error.

If you get this error repeatedly, it's probably a bug. Please log an
issue describing what you were attempting, and posting logs from the
daemon if possible:

    https://github.com/fluxcd/flux/issues

`,
  );
}

/** A request that this version of Weir has no answer to yet. */
export function notSupportedYetError(what: string): FluxError {
  return new FluxError(
    "user",
    `${what} is not supported by this version of Weir yet`,
    `Not supported yet

This version of Weir syncs a cluster with git and changes policies, but
${what} is not in it yet.
Nothing was changed.
`,
  );
}
