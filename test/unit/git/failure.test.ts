import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Ending, gitError } from "../../../src/git/failure.ts";

const plain: Ending = { args: ["fetch"], doing: undefined, exitCode: 128, output: "", failure: "exit" };

function messageOf(ending: Partial<Ending>): string {
  return gitError({ ...plain, ...ending }, (text) => text.replaceAll("s3cret", "***")).message;
}

describe("the message of a git command that failed", () => {
  const outputs: readonly (readonly [string, string])[] = [
    ["warning: x\nfatal: no\nmore\n", "fatal: no, full output:\n warning: x\nfatal: no\nmore\n"],
    ["ERROR fatal: no\n", "ERROR fatal: no, full output:\n ERROR fatal: no\n"],
    ["error: bad\nfatal: worse\n", "bad, full output:\n error: bad\nfatal: worse\n"],
    ["error:bad\n", "error:bad, full output:\n error:bad\n"],
    ["fatal: no\r\n", "fatal: no, full output:\n fatal: no\r\n"],
    ["just words\n", "just words\n"],
    ["  fatal: indented\n", "  fatal: indented\n"],
    ["", "exit status 128"],
  ];
  for (const [output, expected] of outputs) {
    it(`is Flux's for the output ${JSON.stringify(output)}`, () => {
      assert.equal(messageOf({ output }), expected);
    });
  }

  it("says first what was being done", () => {
    assert.equal(
      messageOf({ doing: "git clone --mirror", output: "fatal: no\n" }),
      "git clone --mirror: fatal: no, full output:\n fatal: no\n",
    );
  });

  it("names the command where it was cut short", () => {
    const args = ["push", "--", "https://u:s3cret@h/x"];

    assert.equal(
      messageOf({ args, failure: "timeout", exitCode: undefined }),
      "running git command: git [push -- https://u:***@h/x]: context deadline exceeded",
    );
    assert.equal(
      messageOf({ args, failure: "aborted", exitCode: undefined }),
      "context was unexpectedly cancelled when running git command: git [push -- https://u:***@h/x]: context canceled",
    );
  });

  it("says why it was ended where it printed too much", () => {
    assert.equal(
      messageOf({ failure: "flood", exitCode: undefined, doing: "git fetch", detail: "it printed s3cret" }),
      "git fetch: running git command: git [fetch]: stopped: it printed ***",
    );
  });

  it("says why git could not be run, or that a signal ended it", () => {
    assert.equal(
      messageOf({ failure: "unrunnable", exitCode: undefined, detail: "no such folder" }),
      "cannot run git: no such folder",
    );
    assert.equal(messageOf({ exitCode: undefined }), "ended by a signal");
  });

  it("holds no secret, and neither does the output it keeps", () => {
    const error = gitError({ ...plain, output: "fatal: s3cret\n" }, (text) =>
      text.replaceAll("s3cret", "***"),
    );

    assert.equal(error.message, "fatal: ***, full output:\n fatal: ***\n");
    assert.equal(error.output, "fatal: ***\n");
  });
});
