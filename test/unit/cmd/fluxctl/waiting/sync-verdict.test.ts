import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseResourceId } from "@weir/flux";
import type { LastSyncReport } from "@weir/flux/api";
import { judgeSync, resourceErrorLines } from "../../../../../cmd/fluxctl/waiting/sync-verdict.ts";

const id = parseResourceId("demo:configmap/one");
const errors = [{ id, source: "one.yaml", error: "refused\n" }];
const before = new Date(1_000);
const later = new Date(2_000);

function last(of: Partial<LastSyncReport>): LastSyncReport {
  return {
    revision: "old",
    endedAt: before,
    failure: "",
    errors: [],
    isRunning: false,
    waitingFor: [],
    ...of,
  };
}

const failed = { kind: "failed", failure: "no luck", errors: [] };

describe("the verdict about a sync", () => {
  for (const [title, awaited, missing, report, verdict] of [
    ["waits for the commit to be applied", {}, 1, last({}), "waiting"],
    ["is that it's applied as soon as nothing is missing", {}, 0, last({}), "applied"],
    ["waits for a sync that is busy, to learn its errors", {}, 0, last({ isRunning: true }), "waiting"],
    [
      "is that of its own revision, although a sync is busy again",
      {},
      0,
      last({ revision: "new", isRunning: true }),
      "applied",
    ],
    ["doesn't count the failure of another revision", {}, 1, last({ failure: "no luck" }), "waiting"],
    [
      "waits for a failed sync to be repeated",
      { since: before },
      1,
      last({ revision: "new", failure: "no luck" }),
      "waiting",
    ],
    [
      "waits for that also where all commits are applied",
      { since: before },
      0,
      last({ revision: "new", errors }),
      "waiting",
    ],
    ["is that of the repetition", { since: before }, 0, last({ revision: "new", endedAt: later }), "applied"],
    [
      "is that of a later revision that contains it",
      {},
      0,
      last({ revision: "newer", endedAt: later }),
      "applied",
    ],
    [
      "is that it's applied where fluxd has started anew",
      { since: before },
      0,
      last({ revision: "", endedAt: undefined }),
      "applied",
    ],
  ] as const) {
    it(title, () => {
      assert.equal(judgeSync({ revision: "new", ...awaited }, missing, report).kind, verdict);
    });
  }

  it("has why it failed, as soon as that is known", () => {
    const report = last({ revision: "new", failure: "no luck" });

    assert.deepEqual(judgeSync({ revision: "new" }, 1, report), failed);
    assert.deepEqual(judgeSync({ revision: "new", since: before }, 1, { ...report, endedAt: later }), failed);
    assert.deepEqual(judgeSync({ revision: "new" }, 0, last({ revision: "new", errors })), {
      kind: "failed",
      failure: "",
      errors,
    });
  });
});

describe("the lines about refused resources", () => {
  it("have the file where there is one, and an end", () => {
    const many = Array.from({ length: 22 }, () => ({ id, source: "", error: "no" }));

    assert.deepEqual(resourceErrorLines(errors), ["demo:configmap/one (one.yaml): refused"]);
    assert.equal(resourceErrorLines(many).length, 21);
    assert.equal(resourceErrorLines(many)[20], "... and 2 more; to list all: fluxctl tree -a --unhealthy");
  });
});
