/** The full name of a notes ref, as `git notes get-ref` prints it. */
export function fullNotesRef(ref: string): string {
  if (ref.startsWith("refs/notes/")) {
    return ref;
  }
  return ref.startsWith("notes/") ? `refs/${ref}` : `refs/notes/${ref}`;
}

/** Parses the output of `git notes list`, "<blob of the note> <commit>" per line, into the commits that have a note. */
export function parseNoteList(output: string): ReadonlySet<string> {
  const commits = output.split("\n").map((line) => line.split(" ")[1] ?? "");
  return new Set(commits.filter((commit) => commit !== ""));
}
