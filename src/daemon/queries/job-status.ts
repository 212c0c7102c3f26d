import { messageOf } from "@weir/base";
import type { JobStatusReport } from "../../api/types/api-server.ts";
import { unknownJobError } from "../errors.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { parseNote } from "../note.ts";
import type { Repo } from "../ports.ts";

/** Where jobs are known. */
export interface JobRecords {
  readonly jobs: Pick<Jobs, "status">;
  readonly repo: Repo;
  /** The paths that are synced, where notes are looked for. */
  readonly paths: readonly string[];
}

/**
 * How far a job has come: from memory, else from the notes on commits, so that a job which pushed a commit
 * is found again after a restart. Throws unknownJobError where neither knows it.
 */
export async function jobStatus(
  id: string,
  { jobs, ...git }: JobRecords,
  signal: AbortSignal,
): Promise<JobStatusReport> {
  return jobs.status(id) ?? (await statusFromNotes(id, git, signal)) ?? throwUnknown(id);
}

async function statusFromNotes(
  id: string,
  { repo, paths }: Omit<JobRecords, "jobs">,
  signal: AbortSignal,
): Promise<JobStatusReport | undefined> {
  // Before the notes, as they can be read while the repository is not ready yet, and Flux v1 then says this.
  const commits = await during("checking revisions for status", () =>
    repo.commitsBefore("HEAD", paths, signal),
  );
  const noted = await during("enumerating commit notes", () => repo.notedRevisions(signal));
  for (const { revision } of commits.filter((commit) => noted.has(commit.revision))) {
    const text = await repo.note(revision, signal);
    const note = text?.includes(id) ? parseNote(text) : undefined;
    if (note?.jobId === id) {
      return { state: "succeeded", error: "", result: { revision, spec: note.spec, result: note.result } };
    }
  }
  return undefined;
}

async function during<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
  }
}

function throwUnknown(id: string): never {
  throw unknownJobError(id);
}
