import { FluxError } from "../base/errors.ts";

/** How a git command ended that did not end well. */
export type GitFailure = "exit" | "timeout" | "aborted" | "unrunnable";

/** A git command failed. The message is Flux v1's, without credentials. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly failure: GitFailure;
  /** undefined where git did not end by itself. */
  readonly exitCode: number | undefined;
  /** All that git printed, without credentials. */
  readonly output: string;

  constructor(
    message: string,
    details: { failure: GitFailure; exitCode?: number; output: string },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.failure = details.failure;
    this.exitCode = details.exitCode;
    this.output = details.output;
  }
}

/** The mirror cannot be worked with yet, or not at the moment; the message says why. */
export class NotReadyError extends Error {
  override readonly name = "NotReadyError";
  readonly reason: string;

  constructor(reason: string) {
    super(`git repo not ready: ${reason}`);
    this.reason = reason;
  }
}

/** No repository is configured. */
export class NotConfiguredError extends Error {
  override readonly name = "NotConfiguredError";

  constructor() {
    super("git repo does not have valid config");
  }
}

/** There was nothing to commit. */
export class NoChangesError extends Error {
  override readonly name = "NoChangesError";

  constructor() {
    super("no changes made in repo");
  }
}

/** A repository that may only be read was to be written to. */
export class ReadOnlyError extends Error {
  override readonly name = "ReadOnlyError";

  constructor() {
    super("cannot make a working clone of a read-only git repo");
  }
}

/** Something from outside that git is not run with, since git would read it as something else. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** A push was refused or could not be done; what callers of the API are told is Flux v1's text. */
export function pushError(cause: Error): FluxError {
  return new FluxError(
    "user",
    cause.message,
    `Problem committing and pushing to git repository.

There was a problem with committing changes and pushing to the git
repository.

If this has worked before, it most likely means a fast-forward push
was not possible. It is safe to try again.

If it has not worked before, this probably means that the repository
exists but the SSH (deploy) key provided doesn't have write
permission.

In GitHub, please check via the repository settings that the deploy
key is "Read/write". You can cross-check the fingerprint with that
given by

    fluxctl identity

If the key is present but read-only, you will need to delete it and
create a new deploy key. To create a new one, use

    fluxctl identity --regenerate

The public key this outputs can then be given to GitHub; make sure you
check the box to allow write access unless you're using the
--git-readonly=true option.

`,
    { cause },
  );
}
