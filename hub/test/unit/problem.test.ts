import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { problemDetails, toProblemDetails } from "../../src/problem/details.ts";
import { Problem } from "../../src/problem/problem.ts";

describe("problem details", () => {
  it("name the problem, the remedy, and the fields that are wrong", () => {
    const problem = new Problem("invalid", "The name is empty.", {
      advice: "Give the instance a name.",
      fields: { name: "is empty" },
    });

    const details = toProblemDetails(problem);

    assert.deepEqual(problemDetails.parse(JSON.parse(JSON.stringify(details))), {
      type: "urn:weir:problem:invalid",
      title: "Invalid request",
      status: 400,
      detail: "The name is empty.",
      remedy: "Give the instance a name.",
      fields: { name: "is empty" },
    });
  });

  it("say when to try again", () => {
    const problem = new Problem("too-many", "Too many attempts.", {
      advice: "Wait a minute.",
      retryAfter: 60,
    });

    const { status, retryAfter } = toProblemDetails(problem);

    assert.deepEqual([status, retryAfter], [429, 60]);
  });

  it("don't tell what an unexpected error says", () => {
    const details = toProblemDetails(new Error("password=hunter2"));

    assert.equal(details.status, 500);
    assert.ok(!JSON.stringify(details).includes("hunter2"));
  });
});
