import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOvertaken, parsePushRefusals } from "../../../src/git/push-refusals.ts";

const branch = "refs/heads/master";
const lost = `cannot lock ref '${branch}': is at 0123abc but expected 4567def`;

describe("a push is overtaken", () => {
  const cases: Readonly<Record<string, readonly [output: string, overtaken: boolean]>> = {
    "if upstream has commits that aren't here": [" ! [rejected]        master -> master (fetch first)", true],
    "if upstream has other commits": [" ! [rejected]        master -> master (non-fast-forward)", true],
    "if upstream moved while it was updated": [
      `remote: error: ${lost}        \n ! [remote rejected] master -> master (failed to update ref)`,
      true,
    ],
    "if a server says so with a newer git": [
      " ! [remote rejected] master -> master (incorrect old value provided)",
      true,
    ],
    "if a server says so by itself": [` ! [remote rejected] master -> master (${lost})`, true],
    "not if another ref is": [
      " ! [rejected]        refs/notes/flux -> refs/notes/flux (fetch first)\n   1..2  master -> master",
      false,
    ],
    "not by a branch with a similar name": [
      " ! [rejected]        old/master -> old/master (fetch first)",
      false,
    ],
    "not if a hook refuses it": [" ! [remote rejected] master -> master (pre-receive hook declined)", false],
    "not if a hook refuses it, whatever that says": [
      `remote: error: ${lost}\nremote:  ! [rejected] master -> master (fetch first)\n ! [remote rejected] master -> master (hook declined)`,
      false,
    ],
    "not if the branch is protected": [
      " ! [remote rejected] master -> master (protected branch hook declined)",
      false,
    ],
    "not if the server can't write": [
      "remote: error: cannot lock ref 'refs/heads/master': Unable to create a file: Permission denied\n ! [remote rejected] master -> master (failed to update ref)",
      false,
    ],
    "not if another ref was lost": [
      "remote: error: cannot lock ref 'refs/notes/flux': is at 01 but expected 02\n ! [remote rejected] master -> master (failed to update ref)",
      false,
    ],
    "not if nothing was sent": ["fatal: unable to access 'https://x/': Could not resolve host: x", false],
    "not without output": ["", false],
  };
  for (const [what, [output, overtaken]] of Object.entries(cases)) {
    it(what, () => {
      assert.equal(isOvertaken(parsePushRefusals(output), branch, output), overtaken);
    });
  }
});
