import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobState, JobStatusReport } from "@weir/flux/api";
import { JobStatuses } from "../../../../src/daemon/jobs/status.ts";

function status(state: JobState, error = ""): JobStatusReport {
  return { state, error, result: {} };
}

describe("remembered jobs", () => {
  it("show the newest state of a job", () => {
    const statuses = new JobStatuses({ count: 2, weight: 10_000 });

    statuses.set("a", status("queued"));
    statuses.set("a", status("running"));
    const running = statuses.get("a")?.state;
    statuses.set("a", status("failed"));

    assert.deepEqual([running, statuses.get("a")?.state], ["running", "failed"]);
  });

  it("are the last that ended, and all that have not", () => {
    const statuses = new JobStatuses({ count: 2, weight: 10_000 });

    for (const id of ["a", "b", "c", "d", "e"]) {
      statuses.set(id, status("queued"));
    }
    for (const id of ["a", "b", "c"]) {
      statuses.set(id, status("succeeded"));
    }

    assert.deepEqual(
      ["a", "b", "c", "d", "e"].map((id) => statuses.get(id)?.state),
      [undefined, "succeeded", "succeeded", "queued", "queued"],
    );
  });

  it("are fewer where they take much memory, and the last one in any case", () => {
    const statuses = new JobStatuses({ count: 10, weight: 10_000 });
    const known = (): readonly string[] => ["a", "b", "c", "d"].filter((id) => statuses.get(id));

    statuses.set("a", status("failed", "x".repeat(4_000)));
    statuses.set("b", status("failed", "x".repeat(4_000)));
    const both = known();
    statuses.set("c", status("failed", "x".repeat(4_000)));
    const two = known();
    statuses.set("d", status("failed", "x".repeat(50_000)));
    const last = known();
    statuses.set("a", status("succeeded"));

    assert.deepEqual([both, two, last, known()], [["a", "b"], ["b", "c"], ["d"], ["a"]]);
  });
});
