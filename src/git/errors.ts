import { FluxError, UnverifiedError } from "@weir/flux";
import type { Verdict } from "./signature.ts";
import type { TreeFault, TreeLimits } from "./tree.ts";

/** How a failed git command ended. */
export type GitFailure = "exit" | "timeout" | "aborted" | "unrunnable" | "flood";

/** A git command failed. The message is Flux v1's, without credentials. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly failure: GitFailure;
  /** undefined if git didn't exit by itself. */
  readonly exitCode: number | undefined;
  /** The end of git's output, without credentials. */
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

/** The mirror can't be used yet, or at the moment; the message says why. */
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

/** Upstream has no branch with the configured name. */
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

/** A write to a read-only repository. */
export class ReadOnlyError extends Error {
  override readonly name = "ReadOnlyError";

  constructor() {
    super("cannot make a working clone of a read-only git repo");
  }
}

/**
 * The error for a sync tag that isn't signed properly; `verdict` is undefined if it isn't an annotated tag. The message
 * is that of Flux v1, which shows only git's exit code for most reasons.
 */
export function tagSignatureError(tag: string, verdict: Verdict | undefined): UnverifiedError {
  const problem = verdict ?? { key: "", reason: "it isn't an annotated tag, and only those can be signed" };
  return new UnverifiedError(`verifying tag ${tag}: ${gitOnTag(tag, verdict)}`, problem);
}

function gitOnTag(tag: string, verdict: Verdict | undefined): string {
  if (verdict !== undefined && verdict.status !== "N") {
    return "exit status 1";
  }
  const problem = verdict ? "no signature found" : `${tag}: cannot verify a non-tag object of type commit.`;
  return `${problem}, full output:\n error: ${problem}\n`;
}

/** A commit or tag can't be signed. The message is that of Flux v1, which doesn't say why; the cause does. */
export class SigningError extends Error {
  override readonly name = "SigningError";

  constructor(doing: string, consequence: string, cause: unknown) {
    const problem = "gpg failed to sign the data";
    super(`${doing}: ${problem}, full output:\n error: ${problem}\n${consequence}\n`, { cause });
  }
}

/** An external value that isn't passed to git, because git would misinterpret it. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** A commit isn't checked out because it would fill the disk or the memory, or couldn't be removed again. */
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
      return `the list of its files is larger than ${limits.listing} bytes`;
    case "files":
      return `it has more than ${limits.files} files and folders`;
    case "content":
      return `its files are larger than ${limits.content} bytes; ${JSON.stringify(fault.largest)} alone has ${fault.size}`;
    case "path":
      return `it contains a path that's longer than ${limits.path} bytes: ${JSON.stringify(`${fault.path.slice(0, 80)}...`)}`;
  }
}

/** Upstream sent more data than a repository of manifests should have. */
export class OversizedFetchError extends Error {
  override readonly name = "OversizedFetchError";

  constructor(doing: string, most: number) {
    super(
      `${doing}: stopped after ${most} bytes, the limit for one fetch; remove large files from the history of the repository`,
    );
  }
}

/** There isn't enough disk space. */
export class NoSpaceError extends Error {
  override readonly name = "NoSpaceError";

  constructor(what: string, folder: string, options?: ErrorOptions) {
    super(
      `${what}: not enough disk space in ${folder}; free up space, or set TMPDIR to a folder with more`,
      options,
    );
  }
}

/** True for a failure that won't go away soon: a full disk, or an upstream that sends too much. */
export function isLasting(error: unknown): boolean {
  const isFlood = error instanceof GitError && error.failure === "flood";
  return isFlood || error instanceof NoSpaceError || error instanceof OversizedFetchError;
}

/** True if git or its ssh doesn't know the host of upstream; there's no exit code for that. */
export function isUnknownHost(error: unknown): boolean {
  return (
    error instanceof GitError && error.failure === "exit" && /could not resolve hostname/i.test(error.output)
  );
}

/** The error for a push that was refused or failed. API clients get Flux v1's text. */
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

/** ssh-keygen or git came to no verdict on an SSH signature, which counts as neither good nor bad. */
export class SshKeygenError extends Error {
  override readonly name = "SshKeygenError";

  constructor(reason: string) {
    super(
      `cannot verify SSH signatures: ${reason}: make sure that ssh-keygen of OpenSSH 8.2p1 or later is on PATH, and that fluxd has enough memory`,
    );
  }
}
