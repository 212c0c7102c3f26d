import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError } from "@weir/flux";
import { FatalError, RemoteError, unavailableError } from "@weir/upstream-server";
import { isAnswer, isUnknownJob, outcomeOf } from "../../../src/daemons/job-outcome.ts";

describe("the outcome of a job", () => {
  it("is there when the daemon has ended it", () => {
    assert.equal(outcomeOf({ state: "queued", error: "", result: {} }), undefined);
    assert.equal(outcomeOf({ state: "running", error: "", result: {} }), undefined);
    assert.deepEqual(outcomeOf({ state: "succeeded", error: "", result: { revision: "c1" } }), {
      ...{ state: "succeeded", error: "", revision: "c1" },
      result: { revision: "c1" },
    });
    assert.deepEqual(outcomeOf({ state: "failed", error: "no changes made in repo", result: {} }), {
      ...{ state: "failed", error: "no changes made in repo", revision: "", result: {} },
    });
  });
});

describe("an error", () => {
  for (const [error, answered, unknown] of [
    [new FluxError("missing", "unknown job", ""), true, true],
    [new FluxError("user", "refused", ""), true, false],
    [new RemoteError("no cluster"), true, false],
    [unavailableError(new Error("not connected")), false, false],
    [new FatalError("unexpected EOF"), false, false],
    [new Error("another"), false, false],
  ] as const) {
    it(`${error.message} is ${answered ? "an" : "no"} answer of a daemon`, () => {
      assert.deepEqual([isAnswer(error), isUnknownJob(error)], [answered, unknown]);
    });
  }
});
