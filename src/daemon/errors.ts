import { FluxError } from "@weir/flux";
import type { HeadVerdict } from "./sync/head-verdict.ts";

/**
 * The error for API clients if the manifests in git can't be loaded. The text is Flux v1's, which users and scripts
 * know.
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

/** The same for requests that Flux v1 doesn't have: without its links, which would lead people to the wrong project. */
export function unloadableError(reason: Error): FluxError {
  return new FluxError(
    "user",
    reason.message,
    `The manifests in git can't be loaded:

    ${reason.message}

Until this is fixed in git, fluxd syncs nothing of this revision. If the file that is named is well-formed,
this is a bug in Weir; please report it there, with the file if possible.
`,
    { cause: reason },
  );
}

/** The error for work that was to be done on one head of the branch, which has another one by now. */
export function headMovedError(expected: string, head: string): FluxError {
  const [wanted, found] = [expected.slice(0, 7), head.slice(0, 7)];
  return new FluxError(
    "user",
    `the head of the branch is ${found} now, not ${wanted}`,
    `The head of the branch is ${found} now, not ${wanted}\n\nWhat was asked for was to be done on ${wanted}, so nothing was done. Look at what it would do now,\nand ask for it again.\n`,
  );
}

/** The error for a job that neither the daemon nor the notes in git know. */
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

/** The error for a job that would commit on top of a commit that isn't verified. The text is Flux v1's. */
export function unsignedHeadError({ verified, head }: Omit<HeadVerdict, "bad">): FluxError {
  return new FluxError(
    "user",
    "HEAD revision is unsigned",
    `HEAD is not a verified commit.

The branch HEAD in the git repo is not verified, and fluxd is unable to
make a change on top of it. The last verified commit was

    ${verified}

HEAD is 

    ${head}.
`,
  );
}

/** The error for a sync job if the head of the branch isn't verified. The text is Flux v1's, and its fluxctl reads it. */
export function unverifiedHeadText({ verified, head }: Omit<HeadVerdict, "bad">): string {
  return `The branch HEAD in the git repo is not verified, and fluxd is unable to sync to it. The last verified commit was ${verified.slice(0, 8)}. HEAD is ${head.slice(0, 8)}.`;
}

/** The error for a release whose files couldn't be changed as planned. API clients get Flux v1's text. */
export function releaseError(message: string, cause?: unknown): FluxError {
  return new FluxError(
    "user",
    message,
    `The release process failed, with this message:

    ${message}

This may be because of a limitation in the formats of file Flux can
deal with. See

    https://fluxcd.io/legacy/flux/requirements/

for those limitations.

If your files appear to meet the requirements, it may simply be a bug
in Flux. Please report it at

    https://github.com/fluxcd/flux/issues

and try to include the problematic manifest, if it can be identified.
`,
    { cause },
  );
}
