import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError } from "../../../src/errors/flux-error.ts";
import { errorResponse } from "../../../src/serving/error-response.ts";

const missing = new FluxError("missing", "unknown job", "Job <not> found\n");

describe("error response", () => {
  it("is JSON for who prefers JSON", () => {
    assert.deepEqual(errorResponse(missing, "application/json, text/plain;q=0.9"), {
      status: 404,
      contentType: "application/json; charset=utf-8",
      body: '{"type":"missing","help":"Job \\u003cnot\\u003e found\\n","error":"unknown job"}',
    });
  });

  it("is the help text for who prefers text", () => {
    assert.deepEqual(errorResponse(missing, "application/json;q=0.5, text/plain"), {
      status: 404,
      contentType: "text/plain; charset=utf-8",
      body: "Job <not> found\n",
    });
  });

  it("is the short message for who says nothing, or something else", () => {
    const expected = { status: 404, contentType: "text/plain; charset=utf-8", body: "unknown job" };

    assert.deepEqual(errorResponse(missing, undefined), expected);
    assert.deepEqual(errorResponse(missing, "*/*"), expected);
    assert.deepEqual(errorResponse(missing, "text/html"), expected);
  });

  it("takes an error of another sort for the user's, and says so", () => {
    const { status, body } = errorResponse(new Error("boom"), "text/plain");

    assert.equal(status, 422);
    assert.match(body, /^Error: boom\n\nWe don't have a specific help message/);
  });

  it("answers faults of the server with 500", () => {
    assert.equal(errorResponse(new FluxError("server", "m", "h"), undefined).status, 500);
  });
});
