import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GitError, isUnknownHost } from "../../../src/git/errors.ts";

describe("isUnknownHost", () => {
  const output = "ssh: Could not resolve hostname git.example.test: Name or service not known\n";

  it("is true for what git prints when it ends so", () => {
    assert.equal(isUnknownHost(new GitError("git clone", { failure: "exit", exitCode: 128, output })), true);
  });

  it("is false for any other end, and for errors that only mention it", () => {
    assert.equal(isUnknownHost(new GitError("git clone", { failure: "timeout", output })), false);
    assert.equal(isUnknownHost(new GitError("git clone", { failure: "exit", output: "fatal: no" })), false);
    assert.equal(isUnknownHost(new Error(output)), false);
  });
});
