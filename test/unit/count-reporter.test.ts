import assert from "node:assert/strict";
import { describe, it } from "node:test";
import report, { type TestOutcome } from "../support/count-reporter.ts";
import { failureOf } from "../support/images/image-tests.ts";

/** What is reported of these events; of each, only the fields that the reporter reads. */
async function outcomesOf(events: readonly object[]): Promise<readonly TestOutcome[]> {
  const lines: string[] = [];
  for await (const line of report(events as never)) {
    lines.push(line);
  }
  return lines.map((line) => JSON.parse(line) as TestOutcome);
}

const test = { type: "test", duration_ms: 1 };
const said = (file: string, message: string) => ({ type: "test:stderr", data: { file, message } });
const crashed = (name: string, end: object) => ({
  type: "test:fail",
  data: { name, file: `/${name}`, details: { ...test, error: Object.assign(new Error("test failed"), end) } },
});

describe("the summary of a test run", () => {
  it("says how a file's process ended, and what it complained of, where no test has failed", async () => {
    const [exited, killed] = await outcomesOf([
      said("a.test.ts", "Error: cannot\n"),
      said("b.test.ts", "other\n"),
      said("a.test.ts", "    at a.test.ts:1\n"),
      crashed("a.test.ts", { cause: "test failed", exitCode: 1, signal: null }),
      crashed("c.test.ts", { cause: "test failed", exitCode: null, signal: "SIGKILL" }),
    ]);

    assert.equal(
      exited?.reason,
      "the file's process ended with exit code 1; its standard error ends with:\nError: cannot\n    at a.test.ts:1\n",
    );
    assert.match(killed?.reason ?? "", /ended by SIGKILL; .*\n\(nothing\)$/);
  });

  it("has the error of a test that failed, and the reason of one that was skipped", async () => {
    const cause = new Error("1 is not 2");
    const outcomes = await outcomesOf([
      { type: "test:fail", data: { name: "a", file: "/x", details: { ...test, error: { cause } } } },
      { type: "test:pass", data: { name: "b", file: "/x", skip: "needs c", details: test } },
      { type: "test:pass", data: { name: "suite", file: "/x", details: { type: "suite" } } },
    ]);

    assert.deepEqual(
      outcomes.map(({ name, outcome, reason }) => [name, outcome, reason.split("\n")[0]]),
      [
        ["a", "failed", "Error: 1 is not 2"],
        ["b", "skipped", "needs c"],
      ],
    );
  });

  it("begins with the reason where tests in an image fail, and ends with what they cancelled", () => {
    const outcome = (name: string, reason: string): TestOutcome => {
      return { name, file: "x.test.ts", outcome: "failed", reason };
    };
    const cancelled = outcome("a", "test did not finish before its parent and was cancelled");

    const failure = failureOf(
      [cancelled, outcome("suite", "no cluster"), { ...cancelled, outcome: "passed" }],
      "oh",
    );

    assert.match(
      failure ?? "",
      /^failed: suite \(x\.test\.ts\)\nno cluster\nfailed: a .*\n.*\nstandard error: oh$/,
    );
  });

  it("has nothing to say of tests in an image that pass, but of none at all", () => {
    assert.equal(failureOf([{ name: "a", file: "x", outcome: "passed", reason: "" }], ""), undefined);
    assert.match(failureOf([], "no such file") ?? "", /^no test has run: no such file/);
  });
});
