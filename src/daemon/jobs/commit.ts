import type { UpdateResult, UpdateSpec } from "@weir/flux";
import { printNote, type UndoneCommit } from "../note.ts";
import type { DaemonSettings, WorkingClone } from "../ports.ts";

/** An update that has been made to the files of a clone. */
export interface MadeUpdate {
  readonly jobId: string;
  readonly spec: UpdateSpec;
  /** null for policy changes, as recorded in notes. */
  readonly result: UpdateResult | null;
  readonly message: string;
  /** Set if the update undoes a commit. */
  readonly undo?: UndoneCommit;
}

/**
 * Commits an update with a note, pushes both, and resolves to the commit. The author is the person who requested it, if
 * the settings say so and the request names somebody. Rejects like WorkingClone's commitAndPush. Same as in Flux v1.
 */
export function commitUpdate(
  { message, ...note }: MadeUpdate,
  clone: WorkingClone,
  { setAuthor, skipMessage }: Pick<DaemonSettings, "setAuthor" | "skipMessage">,
  signal: AbortSignal,
): Promise<string> {
  const { user } = note.spec.cause;
  return clone.commitAndPush(
    {
      message: message + skipMessage,
      author: setAuthor && user !== "" ? user : undefined,
      note: printNote(note),
    },
    signal,
  );
}
