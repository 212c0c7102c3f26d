/** The full name of a notes ref, as `git notes get-ref` tells it. */
export function fullNotesRef(ref: string): string {
  if (ref.startsWith("refs/notes/")) {
    return ref;
  }
  return ref.startsWith("notes/") ? `refs/${ref}` : `refs/notes/${ref}`;
}

/** The commits that bear a note, of what `git notes list` printed: "<blob of the note> <commit>" a line. */
export function parseNoteList(output: string): ReadonlySet<string> {
  const commits = output.split("\n").map((line) => line.split(" ")[1] ?? "");
  return new Set(commits.filter((commit) => commit !== ""));
}
