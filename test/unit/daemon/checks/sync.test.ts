import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseResourceId } from "@weir/flux";
import { type SyncCheckOptions, syncCheckup } from "../../../../src/daemon/checks/sync.ts";

const never = new AbortController().signal;
const revision = "0123456789abcdef";

async function lookAt(state: {
  readonly ready?: boolean;
  readonly synced?: string;
  readonly waiting?: number;
  readonly failures?: readonly string[];
  readonly waitingFor?: readonly string[];
}): Promise<string> {
  const { ready = true, synced = revision, waiting = 0, failures = [], waitingFor = [] } = state;
  const commits = Array.from({ length: waiting }, () => ({ revision: "", message: "" }));
  const options: SyncCheckOptions = {
    repo: {
      status: () => ({ status: ready ? "ready" : "new", error: "" }),
      branchHead: () => Promise.resolve(revision),
      commitsBetween: () => Promise.resolve(commits),
    },
    branch: "main",
    paths: [],
    syncState: { revision: () => Promise.resolve(synced) },
    outcome: { failures, waitingFor: waitingFor.map(parseResourceId) },
  };
  const [finding] = await syncCheckup(options).look(never);
  return `${finding?.verdict}: ${finding?.found}`;
}

describe("syncCheckup", () => {
  for (const [state, finding] of [
    [{}, "passed: all commits of main are applied, up to 0123456"],
    [{ waiting: 1 }, "warning: 1 commit is not applied yet, after 0123456"],
    [{ waiting: 3 }, "warning: 3 commits are not applied yet, after 0123456"],
    [{ synced: "" }, "warning: no sync has completed yet"],
    [{ ready: false }, "warning: cannot sync until the git repository is available"],
    [
      { waiting: 1, waitingFor: ["demo:job/migrate"] },
      "warning: a sync is waiting until these are ready: demo:job/migrate",
    ],
    [{ failures: ["a: refused", "b: too"] }, "failed: the last sync failed: a: refused; b: too"],
  ] as const) {
    it(`has "${finding}" for ${JSON.stringify(state)}`, async () => {
      assert.equal(await lookAt(state), finding);
    });
  }

  it("does not go on forever where much went wrong", async () => {
    const long = await lookAt({ failures: ["x".repeat(5_000)] });

    assert.ok(long.length < 1_100);
    assert.ok(long.endsWith("x ..."));
  });
});
