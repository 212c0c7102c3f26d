import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type JsonValue, stringifyGoJson } from "@weir/base";
import type { JobStatusReport } from "../../../src/api/api-server.ts";
import { decodeJobStatus, encodeJobStatus } from "../../../src/api/job.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const done: JobStatusReport = {
  state: "succeeded",
  error: "",
  result: {
    revision: "0123456",
    spec: { type: "sync", cause: { message: "", user: "" } },
    result: new Map([[parseResourceId("a:deployment/b"), { status: "success", containers: null }]]),
  },
};

const statuses: readonly (readonly [JobStatusReport, string])[] = [
  [{ state: "queued", error: "", result: {} }, '{"Result":{},"Err":"","StatusString":"queued"}'],
  [{ state: "failed", error: "no", result: {} }, '{"Result":{},"Err":"no","StatusString":"failed"}'],
  [
    done,
    '{"Result":{"revision":"0123456","spec":{"type":"sync","cause":{"Message":"","User":""},"spec":{}},' +
      '"result":{"a:deployment/b":{"Status":"success","PerContainer":null}}},"Err":"","StatusString":"succeeded"}',
  ],
];

describe("the status of a job as JSON", () => {
  for (const [status, text] of statuses) {
    it(`tells of one that is ${status.state}, both ways`, () => {
      assert.equal(stringifyGoJson(encodeJobStatus(status), { sortKeys: false }), text);
      assert.deepEqual(decodeJobStatus(JSON.parse(text) as JsonValue), status);
    });
  }

  it("leaves out an empty result, as Go does", () => {
    const status = { state: "running", error: "", result: { revision: "", result: new Map() } } as const;

    assert.deepEqual(encodeJobStatus(status), { Result: {}, Err: "", StatusString: "running" });
    assert.deepEqual(encodeJobStatus({ ...status, result: { result: null } })["Result"], {});
  });

  it("takes a state that nobody knows for one that is not there yet", () => {
    assert.equal(decodeJobStatus({ StatusString: "odd" }).state, "queued");
  });
});
