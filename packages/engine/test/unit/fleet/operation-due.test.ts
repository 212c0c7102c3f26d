import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { operationDue } from "../../../src/fleet/operation-due.ts";
import type { OperationPhase, OperationState, SyncUnitStatus } from "../../../src/index.ts";

const status: SyncUnitStatus = { sync: "Unknown", health: "Unknown", revision: "", message: "" };

function state(generation: number, phase: OperationPhase): OperationState {
  return { generation, phase, message: "", cluster: "here", startedAt: 1 };
}

/** What is due for a request of a generation, with a state in the status. */
function due(requested: number | undefined, operation?: OperationState): string {
  const request = requested === undefined ? {} : { operation: { generation: requested } };
  return operationDue({ ...request, status: operation === undefined ? status : { ...status, operation } })
    .kind;
}

describe("operationDue", () => {
  it("is nothing without a request", () => {
    assert.equal(due(undefined), "nothing");
    assert.equal(due(undefined, state(1, "Succeeded")), "nothing");
  });

  it("starts a request that is newer than the status", () => {
    assert.equal(due(1), "start");
    assert.equal(due(2, state(1, "Succeeded")), "start");
    assert.equal(due(2, state(1, "Running")), "start");
  });

  it("resumes what was running", () => {
    assert.equal(due(1, state(1, "Running")), "resume");
  });

  it("does nothing for a request that has ended, however it ended", () => {
    for (const phase of ["Succeeded", "Failed", "Error"] as const) {
      assert.equal(due(1, state(1, phase)), "nothing");
    }
  });

  it("does nothing for a request that is older than the status", () => {
    assert.equal(due(1, state(2, "Succeeded")), "nothing");
  });

  it("gives up what was running if its request is gone", () => {
    assert.equal(due(undefined, state(1, "Running")), "give-up");
    assert.equal(due(1, state(2, "Running")), "give-up");
  });
});
