/** One version of a file of the repository: the same ID means the same content. */
export interface FileVersion {
  /** 100644; 100755 for an executable, 120000 for a symlink, 160000 for a submodule. */
  readonly mode: string;
  readonly id: string;
}

/** A file that a commit created (no `before`), changed, or deleted (no `after`). */
export interface ChangedFile {
  readonly path: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

/** A commit with what it changed. */
export interface LoggedCommit {
  readonly revision: string;
  /** Empty for a first commit, several for a merge. */
  readonly parents: readonly string[];
  readonly committedAt: Date;
  /** "Name <email>". */
  readonly author: string;
  /** The first line of its message. */
  readonly message: string;
  /** The files below the paths of the query that it changed; empty for a merge. */
  readonly files: readonly ChangedFile[];
}

/** Which commits to list. */
export interface ChangeLogQuery {
  /** "from..to", or the newest one. */
  readonly range: string;
  /** Only list commits and files below one of these paths; all if empty. */
  readonly paths: readonly string[];
  /** How many to leave out at the beginning. */
  readonly skip: number;
  readonly limit: number;
}
