import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isTooOpen } from "../../../src/cluster-state/ssh-keyring.ts";

describe("isTooOpen", () => {
  for (const [what, mode, uid, user, expected] of [
    ["a key that only its owner may read", 0o100400, 1000, 1000, false],
    ["a key of ours that the group may read too", 0o100440, 1000, 1000, true],
    ["a key of root's that our group may read", 0o100440, 0, 1000, false],
    ["root's own key that the group may read", 0o100440, 0, 0, true],
    ["a key of another's, to root", 0o100644, 1000, 0, true],
  ] as const) {
    it(`is ${expected} for ${what}`, () => {
      assert.equal(isTooOpen({ mode, uid }, user), expected);
    });
  }
});
