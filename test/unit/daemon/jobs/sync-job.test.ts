import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JobError } from "../../../../src/daemon/jobs/jobs.ts";
import { fetchHead, syncRevision } from "../../../../src/daemon/jobs/sync-job.ts";

const never = new AbortController().signal;
const head = "1111111122222222";
const repo = { refresh: () => Promise.resolve(), branchHead: () => Promise.resolve(head) };

describe("a sync job", () => {
  it("returns the head of the branch", async () => {
    assert.deepEqual(await fetchHead({ repo }, never), { revision: head });
    const heads = { verify: () => Promise.resolve({ head, verified: head }) };
    assert.deepEqual(await fetchHead({ repo, heads }, never), { revision: head });
  });

  it("fails with the last verified commit as its result if the head isn't verified", async () => {
    const heads = { verify: () => Promise.resolve({ head, verified: "aaaaaaaabbbbbbbb" }) };

    await assert.rejects(fetchHead({ repo, heads }, never), (error) => {
      assert.ok(error instanceof JobError);
      assert.deepEqual(error.result, { revision: "aaaaaaaabbbbbbbb" });
      assert.equal(
        error.message,
        "The branch HEAD in the git repo is not verified, and fluxd is unable to sync to it. The last verified commit was aaaaaaaa. HEAD is 11111111.",
      );
      return true;
    });
  });
});

describe("a sync job of one revision", () => {
  it("has the head synced if it's still that one, and nothing otherwise", async () => {
    let asked = 0;
    const deps = { repo, agenda: { askForSyncToHead: () => void (asked += 1) } };

    await assert.rejects(syncRevision("another", deps, never), { name: "FluxError" });
    assert.equal(asked, 0);
    assert.deepEqual(await syncRevision(head, deps, never), { revision: head });
    assert.equal(asked, 1);
  });
});
