/** GPG's verdict on a signature: `status` is git's %G?, where only "G" means good and trusted. */
export interface Signature {
  readonly key: string;
  readonly status: string;
}

/** A commit in a list. */
export interface Commit {
  readonly revision: string;
  /** The first line of its message. */
  readonly message: string;
  /** Set if signatures were requested. */
  readonly signature?: Signature;
}

/** The author or committer of commits and tags. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** The content of one commit. */
export interface CommitAction {
  readonly message: string;
  /** "Name <email>"; undefined for the configured user. */
  readonly author: string | undefined;
  /** The text of the commit's note. */
  readonly note: string;
}

const withSignatures = "%GK|%G?|%H|%s";
const withoutSignatures = "||%H|%s";

/** The format of `git log` that parseCommits parses. With `signatures`, git runs GPG for each signed commit. */
export function commitFormat(signatures: boolean): string {
  return signatures ? withSignatures : withoutSignatures;
}

/** Parses the output of `git log`, in its order: newest first. */
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
