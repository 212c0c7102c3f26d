/** A commit in a list. */
export interface Commit {
  readonly revision: string;
  /** The first line of its message. */
  readonly message: string;
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

/** The format of `git log` that parseCommits parses. */
export const commitFormat = "%H|%s";

/** Parses the output of `git log`, in its order: newest first. */
export function parseCommits(output: string): readonly Commit[] {
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map(parseCommit);
}

function parseCommit(line: string): Commit {
  const [revision = "", ...message] = line.split("|");
  return { revision, message: message.join("|") };
}
