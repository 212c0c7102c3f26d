import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JobFailedError } from "../../../../../cmd/fluxctl/waiting/await-job.ts";
import { isUnverifiedHead } from "../../../../../cmd/fluxctl/waiting/unverified-head.ts";

const head = "The branch HEAD in the git repo is not verified, and fluxd is unable to sync to it.";
const last = "The last verified commit was 01234567. HEAD is 89abcdef.";

describe("isUnverifiedHead", () => {
  for (const [message, expected] of [
    [`${head} ${last}`, true],
    [head, false],
    [last, false],
    ["git push: rejected", false],
    ["", false],
  ] as const) {
    it(`is ${expected} for a job that failed with "${message}"`, () => {
      assert.equal(isUnverifiedHead(new JobFailedError(message, {})), expected);
    });
  }
});
