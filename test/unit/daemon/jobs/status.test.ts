import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobState, JobStatusReport } from "../../../../src/api/types/api-server.ts";
import { JobStatuses } from "../../../../src/daemon/jobs/status.ts";

function status(state: JobState): JobStatusReport {
  return { state, error: "", result: {} };
}

describe("remembered jobs", () => {
  it("shows the newest state of a job", () => {
    const statuses = new JobStatuses(2);

    statuses.set("a", status("queued"));
    statuses.set("a", status("running"));

    assert.equal(statuses.get("a")?.state, "running");
  });

  it("forgets the oldest job, never an older state only", () => {
    const statuses = new JobStatuses(2);

    statuses.set("a", status("queued"));
    statuses.set("b", status("queued"));
    statuses.set("a", status("succeeded"));
    statuses.set("c", status("queued"));

    assert.equal(statuses.get("a"), undefined);
    assert.equal(statuses.get("b")?.state, "queued");
    assert.equal(statuses.get("c")?.state, "queued");
  });
});
