import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tellCommits } from "../../src/tell-commits.ts";

function commit(digit: number, author = "You"): { revision: string; author: string; subject: string } {
  return { revision: String(digit).repeat(40), author, subject: `Change ${digit}` };
}

function told(...commits: Parameters<typeof tellCommits>[0]): readonly string[] {
  return tellCommits(commits).map(({ text }) => text);
}

describe("what the demo tells of pushed commits", () => {
  it("is who pushed what", () => {
    assert.deepEqual(told(commit(1)), ["You pushed 1111111: Change 1"]);
  });

  it("is nothing for those that fluxd made, because its events say more", () => {
    assert.deepEqual(told(commit(1, "Weave Flux")), []);
  });

  it("is the newest ones and a number if there are many", () => {
    assert.deepEqual(told(...[1, 2, 3, 4, 5].map((digit) => commit(digit))), [
      "2 commits were pushed, and then:",
      "You pushed 3333333: Change 3",
      "You pushed 4444444: Change 4",
      "You pushed 5555555: Change 5",
    ]);
    assert.equal(told(...[1, 2, 3, 4].map((digit) => commit(digit)))[0], "1 commit was pushed, and then:");
  });
});
