import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import type { JobRequest } from "../../../src/api/job-request.ts";
import { decodeJobRequest, encodeJobRequest } from "../../../src/api/v12-jobs.ts";

const cause = { user: "ann", message: "" };
const id = "0190a0b0-0000-7000-8000-000000000000";

describe("a request for a job", () => {
  it("is the same after it was sent", () => {
    const requests: readonly JobRequest[] = [
      { id, work: { kind: "update", spec: { type: "sync", cause } }, revision: "c0ffee1" },
      {
        id,
        work: {
          kind: "undo",
          request: { cause, commit: "c0ffee1", resource: "", allowDelete: false, dryRun: false },
        },
        revision: "",
      },
    ];
    for (const request of requests) {
      assert.deepEqual(
        decodeJobRequest(JSON.parse(JSON.stringify(encodeJobRequest(request))) as JsonValue),
        request,
      );
    }
  });

  const sync = { type: "sync", cause: { User: "", Message: "" }, spec: {} };
  const policy = { type: "policy", cause: { User: "", Message: "" }, spec: {} };
  for (const [what, request] of [
    ["without an ID", { update: sync }],
    ["with an ID that's no word", { id: "../../etc/passwd", update: sync }],
    ["without work", { id }],
    ["with two kinds of work", { id, update: sync, undo: { commit: "c0ffee1" } }],
    ["for a revision that can't be checked", { id, update: policy, revision: "c0ffee1" }],
  ] as const) {
    it(`is refused ${what}`, () => {
      assert.throws(() => decodeJobRequest(request), { name: "JsonShapeError" });
    });
  }
});
