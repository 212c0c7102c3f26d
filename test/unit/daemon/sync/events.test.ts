import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseResourceId } from "@weir/flux";
import type { Note } from "../../../../src/daemon/note.ts";
import { type NotedCommit, reportNotes, syncEvent } from "../../../../src/daemon/sync/events.ts";

const web = parseResourceId("shop:deployment/web");
const start = new Date(0);
const now = new Date(1_000);

function commit(revision: string, note?: Note): NotedCommit {
  return { revision, message: `commit ${revision}`, note };
}

const autoNote: Note = {
  jobId: "job",
  spec: { type: "auto", cause: { message: "", user: "" }, spec: [] },
  result: new Map([[web, { status: "success", containers: null }]]),
};

const policyNote: Note = {
  jobId: "job",
  spec: { type: "policy", cause: { message: "", user: "" }, spec: new Map() },
  result: null,
};

describe("notes of synced commits", () => {
  it("become release events, oldest first, and say what the sync includes", () => {
    const commits = [commit("c"), commit("b", policyNote), commit("a", autoNote)];

    const report = reportNotes(commits, { initialSync: false, startedAt: start, now });

    assert.deepEqual(report, {
      events: [
        {
          workloads: [web],
          startedAt: start,
          endedAt: now,
          logLevel: "info",
          detail: { type: "autorelease", spec: autoNote.spec, revision: "a", result: autoNote.result },
        },
      ],
      includes: { autorelease: true, update_policy: true, other: true },
      unexpected: false,
    });
  });

  it("are no events on the initial sync, since they are most likely another daemon's", () => {
    const commits = [commit("b", autoNote), commit("a")];

    const report = reportNotes(commits, { initialSync: true, startedAt: start, now });

    assert.deepEqual(report, { events: [], includes: { other: true }, unexpected: true });
  });
});

describe("sync event", () => {
  it("is not there for a sync that brought no commit", () => {
    const event = syncEvent({
      commits: [],
      workloads: [],
      includes: {},
      errors: [],
      initialSync: false,
      startedAt: start,
    });

    assert.equal(event, undefined);
  });
});
