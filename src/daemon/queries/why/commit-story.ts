import type { WhyCommit } from "@weir/flux/api";
import { parseNote } from "../../note.ts";
import type { CommitDetails, Repo } from "../../ports.ts";

/** A commit with the reason from its note. Rejects if git fails. */
export async function storyOf(
  { revision, author, date, message }: CommitDetails,
  repo: Pick<Repo, "note">,
  signal: AbortSignal,
): Promise<WhyCommit> {
  const text = await repo.note(revision, signal);
  const note = text === undefined ? undefined : parseNote(text);
  const commit = { revision, author, date, message };
  if (note === undefined) {
    return commit;
  }
  const { type, cause } = note.spec;
  return { ...commit, madeBy: { kind: kinds[type], user: cause.user, message: cause.message } };
}

const kinds = {
  auto: "automation",
  image: "release",
  containers: "release",
  policy: "policy change",
  sync: "sync",
} as const;
