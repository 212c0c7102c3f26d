import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Repo } from "../../../../src/daemon/ports.ts";
import { type JobRecords, jobStatus } from "../../../../src/daemon/queries/job-status.ts";

const never = new AbortController().signal;

/** Records of no job, in a repository that has no commits and no notes, but for what is given. */
function recordsWith(more: Partial<Repo>): JobRecords {
  const empty: Partial<Repo> = {
    commitsBefore: () => Promise.resolve([]),
    notedRevisions: () => Promise.resolve(new Set<string>()),
  };
  return { jobs: { status: () => undefined }, repo: { ...empty, ...more } as Repo, paths: [] };
}

describe("the status of a job that is not remembered", () => {
  it("says what failed, also while notes can be read and commits cannot", async () => {
    const notReady = (): Promise<never> => Promise.reject(new Error("git repo not ready"));

    await assert.rejects(
      jobStatus("id", recordsWith({ commitsBefore: notReady }), never),
      new Error("checking revisions for status: git repo not ready"),
    );
    await assert.rejects(
      jobStatus("id", recordsWith({ notedRevisions: notReady }), never),
      new Error("enumerating commit notes: git repo not ready"),
    );
  });

  it("is unknown where no note names it", async () => {
    await assert.rejects(jobStatus("id", recordsWith({}), never), /unknown job "id"/);
  });
});
