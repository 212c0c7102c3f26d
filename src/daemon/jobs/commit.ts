import type { UpdateResult } from "../../update/result.ts";
import type { UpdateSpec } from "../../update/spec.ts";
import { printNote } from "../note.ts";
import type { DaemonSettings, WorkingClone } from "../ports.ts";

/** An update that was made in the files of a clone. */
export interface MadeUpdate {
  readonly jobId: string;
  readonly spec: UpdateSpec;
  /** null for changes of policies, as notes record it. */
  readonly result: UpdateResult | null;
  readonly message: string;
}

/**
 * Commits an update, notes it and pushes both; resolves to the commit. The author is who asked for it, where the
 * settings say so and somebody is named. Rejects as WorkingClone's commitAndPush does. As Flux v1.
 */
export function commitUpdate(
  { jobId, spec, result, message }: MadeUpdate,
  clone: WorkingClone,
  { setAuthor, skipMessage }: Pick<DaemonSettings, "setAuthor" | "skipMessage">,
  signal: AbortSignal,
): Promise<string> {
  const { user } = spec.cause;
  return clone.commitAndPush(
    {
      message: message + skipMessage,
      author: setAuthor && user !== "" ? user : undefined,
      note: printNote({ jobId, spec, result }),
    },
    signal,
  );
}
