import { FluxError } from "../errors/flux-error.ts";
import type { TreeFault, TreeLimits } from "./tree.ts";

/** How a git command ended that did not end well. */
export type GitFailure = "exit" | "timeout" | "aborted" | "unrunnable" | "flood";

/** A git command failed. The message is Flux v1's, without credentials. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly failure: GitFailure;
  /** undefined where git did not end by itself. */
  readonly exitCode: number | undefined;
  /** The end of what git printed, without credentials. */
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

/** Upstream has no branch of the configured name. */
export class NoBranchError extends Error {
  override readonly name = "NoBranchError";

  constructor(branch: string) {
    super(`configured branch '${branch}' does not exist`);
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

/** A commit is not checked out, since that would fill the disk or the memory, or could not be removed again. */
export class OversizedCommitError extends Error {
  override readonly name = "OversizedCommitError";
  readonly revision: string;
  readonly kind: TreeFault["kind"];

  constructor(revision: string, fault: TreeFault, limits: TreeLimits) {
    super(
      `cannot check out commit ${revision}: ${describeFault(fault, limits)}; remove the files that do not belong in the repository`,
    );
    this.revision = revision;
    this.kind = fault.kind;
  }
}

function describeFault(fault: TreeFault, limits: TreeLimits): string {
  switch (fault.kind) {
    case "listing":
      return `the list of its files is longer than ${limits.listing} bytes`;
    case "files":
      return `it has more than ${limits.files} files and folders`;
    case "content":
      return `its files have more than ${limits.content} bytes, ${JSON.stringify(fault.largest)} alone ${fault.size}`;
    case "path":
      return `a path of it is longer than ${limits.path} bytes, ${JSON.stringify(`${fault.path.slice(0, 80)}...`)}`;
  }
}

/** Upstream sent more than any repository of manifests has. */
export class OversizedFetchError extends Error {
  override readonly name = "OversizedFetchError";

  constructor(doing: string, most: number) {
    super(
      `${doing}: it brought more than ${most} bytes and was ended; take what is that large out of the history upstream`,
    );
  }
}

/** There is not enough room on the disk. */
export class NoSpaceError extends Error {
  override readonly name = "NoSpaceError";

  constructor(what: string, folder: string, options?: ErrorOptions) {
    super(
      `${what}: there is not enough room in ${folder}: make room there, or have TMPDIR name a folder that has more`,
      options,
    );
  }
}

/** True for what will not be better in a while: a disk that is full, or an upstream that sends too much. */
export function isLasting(error: unknown): boolean {
  const isFlood = error instanceof GitError && error.failure === "flood";
  return isFlood || error instanceof NoSpaceError || error instanceof OversizedFetchError;
}

/** True where git or its ssh says that the host of upstream is not known; they have no code for it. */
export function isUnknownHost(error: unknown): boolean {
  return (
    error instanceof GitError && error.failure === "exit" && /could not resolve hostname/i.test(error.output)
  );
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
