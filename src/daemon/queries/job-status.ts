import { messageOf } from "@weir/base";
import type { JobStatusReport } from "@weir/flux/api";
import { unknownJobError } from "../errors.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { parseNote } from "../note.ts";
import type { Repo } from "../ports.ts";

/** Where to look for jobs. */
export interface JobRecords {
  readonly jobs: Pick<Jobs, "status">;
  readonly repo: Repo;
  /** The synced paths, whose commits are searched for notes. */
  readonly paths: readonly string[];
}

/**
 * The state of a job, from memory or else from the notes on commits, so that a job that pushed a commit can be found
 * after a restart. Throws unknownJobError if neither has it.
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
  // Before the notes: they can be read even while the repository isn't ready yet, but Flux v1 reports this error then.
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
