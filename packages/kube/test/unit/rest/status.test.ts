import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refusalOf, statusError } from "../../../src/rest/status.ts";

describe("refusalOf", () => {
  it("keeps what a Status says, and nothing that it does not", () => {
    const body = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: 'Deployment.apps "web" is invalid',
      reason: "Invalid",
      details: {
        name: "web",
        group: "apps",
        kind: "Deployment",
        causes: [{ reason: "FieldValueRequired", message: "Required value", field: "spec.selector" }],
        uid: "u",
      },
      code: 422,
    };

    const { status, message } = refusalOf(422, JSON.stringify(body));

    assert.equal(message, 'Deployment.apps "web" is invalid');
    assert.deepEqual(status, {
      code: 422,
      reason: "Invalid",
      message: 'Deployment.apps "web" is invalid',
      details: {
        name: "web",
        group: "apps",
        kind: "Deployment",
        causes: [{ reason: "FieldValueRequired", message: "Required value", field: "spec.selector" }],
      },
    });
  });

  it("makes the best of what a proxy answers", () => {
    const { status } = refusalOf(503, `<html>${"no backend ".repeat(100)}</html>`);

    assert.deepEqual(
      { ...status, message: status.message.slice(0, 60), length: status.message.length },
      {
        code: 503,
        reason: "ServiceUnavailable",
        message: "the server answered with status 503: <html>no backend no bac",
        length: 237,
      },
    );
  });

  it("has a message also where the answer is empty", () => {
    assert.deepEqual(refusalOf(418, "").status, {
      code: 418,
      reason: "",
      message: "the server answered with status 418",
    });
  });
});

describe("statusError", () => {
  it("keeps how long the server wants to be left alone", () => {
    const { status } = statusError({
      code: 429,
      reason: "TooManyRequests",
      message: "slow down",
      details: { retryAfterSeconds: 3 },
    });

    assert.deepEqual(status.details, { retryAfterSeconds: 3 });
  });
});
