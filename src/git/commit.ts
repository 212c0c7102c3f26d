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

/** All that's shown of a commit. */
export interface CommitDetails {
  readonly revision: string;
  /** "Name <email>". */
  readonly author: string;
  /** When the author made it, such as "2024-03-01T09:30:00+01:00". */
  readonly date: string;
  /** The hashes of its parents; empty for a first commit. */
  readonly parents: readonly string[];
  /** The whole message, without blank lines at its end. */
  readonly message: string;
}

/** The format of `git log` that parseDetails parses. */
export const detailsFormat = "%H%x00%an <%ae>%x00%aI%x00%P%x00%B";

/** Parses the description of one commit; undefined if there's none. */
export function parseDetails(output: string): CommitDetails | undefined {
  const [revision = "", author = "", date = "", parents = "", ...message] = output.split("\0");
  return revision === ""
    ? undefined
    : {
        revision,
        author,
        date,
        parents: parents.split(" ").filter((parent) => parent !== ""),
        message: message.join("\0").trimEnd(),
      };
}
