/** What GPG said of a signature: `status` is git's %G?, where only "G" is good and trusted. */
export interface Signature {
  readonly key: string;
  readonly status: string;
}

/** A commit as a list tells of it. */
export interface Commit {
  readonly revision: string;
  /** The first line of its message. */
  readonly message: string;
  /** There where signatures were asked for. */
  readonly signature?: Signature;
}

/** Someone in whose name commits and tags are made. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** What is to be committed in one go. */
export interface CommitAction {
  readonly message: string;
  /** "Name <email>"; undefined for the configured user. */
  readonly author: string | undefined;
  /** Text of the git note on the commit. */
  readonly note: string;
}

const withSignatures = "%GK|%G?|%H|%s";
const withoutSignatures = "||%H|%s";

/** The format of `git log` that parseCommits reads. Git runs GPG for each signed commit where asked for it. */
export function commitFormat(signatures: boolean): string {
  return signatures ? withSignatures : withoutSignatures;
}

/** The commits that `git log` printed, in its order: newest first. */
export function parseCommits(output: string): readonly Commit[] {
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map(parseCommit);
}

function parseCommit(line: string): Commit {
  const [key = "", status = "", revision = "", ...message] = line.split("|");
  const commit = { revision, message: message.join("|") };
  return status === "" ? commit : { ...commit, signature: { key, status } };
}
