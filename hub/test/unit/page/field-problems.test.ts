import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toApiProblem } from "../../../page/api/problem.ts";
import { otherProblems, problemOf } from "../../../page/text/field-problems.ts";
import { toProblemDetails } from "../../../src/problem/details.ts";
import { Problem } from "../../../src/problem/problem.ts";

describe("a problem in the page", () => {
  it("has what the console says of it: what to do, and which fields are wrong", () => {
    const sent = new Problem("invalid", "The settings aren't valid.", {
      advice: "Correct the fields that are named.",
      fields: { "settings.url": "is no URL" },
    });

    const { status, title, detail, remedy, fields } = toApiProblem(
      400,
      JSON.stringify(toProblemDetails(sent)),
    );

    assert.deepEqual(
      { status, title, detail, remedy, fields },
      {
        status: 400,
        title: "Invalid request",
        detail: "The settings aren't valid.",
        remedy: "Correct the fields that are named.",
        fields: { "settings.url": "is no URL" },
      },
    );
  });

  it("says at least the status if a proxy has answered", () => {
    for (const body of ["<html>", "null", "[]", '{"fields":null}']) {
      const { title, detail, remedy, fields } = toApiProblem(502, body);

      assert.deepEqual([title, detail, remedy, fields], ["The console answered with status 502", "", "", {}]);
    }
  });

  it("is shown at its field, whatever is around that in the request", () => {
    const problems = { "settings.url": "is no URL", name: "is taken", "grants.0.role": "is unknown" };

    assert.equal(problemOf(problems, "url"), "Is no URL");
    assert.equal(problemOf(problems, "name"), "Is taken");
    assert.equal(problemOf(problems, "rl"), undefined);
    assert.deepEqual(otherProblems(problems, ["url", "name"]), { "grants.0.role": "is unknown" });
  });
});
