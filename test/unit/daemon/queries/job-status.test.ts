import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Repo } from "../../../../src/daemon/ports.ts";
import { jobStatus } from "../../../../src/daemon/queries/job-status.ts";

const forgotten = { status: () => undefined };
const never = new AbortController().signal;

/** A repository that has no commits and no notes, but for what is given. */
function repoWith(more: Partial<Repo>): Repo {
  const empty: Partial<Repo> = {
    commitsBefore: () => Promise.resolve([]),
    notedRevisions: () => Promise.resolve(new Set<string>()),
  };
  return { ...empty, ...more } as Repo;
}

describe("the status of a job that is not remembered", () => {
  it("says what failed, also while notes can be read and commits cannot", async () => {
    const notReady = (): Promise<never> => Promise.reject(new Error("git repo not ready"));

    await assert.rejects(
      jobStatus("id", forgotten, repoWith({ commitsBefore: notReady }), [], never),
      new Error("checking revisions for status: git repo not ready"),
    );
    await assert.rejects(
      jobStatus("id", forgotten, repoWith({ notedRevisions: notReady }), [], never),
      new Error("enumerating commit notes: git repo not ready"),
    );
  });

  it("is unknown where no note names it", async () => {
    await assert.rejects(jobStatus("id", forgotten, repoWith({}), [], never), /unknown job "id"/);
  });
});
