import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { adviceFor, gistOf } from "../../../../src/daemon/checks/git-advice.ts";

const key = "ssh-rsa AAAA flux\n";

describe("adviceFor", () => {
  for (const [error, advice] of [
    [
      "ssh: Could not resolve hostname git.example.test: Name or service not known",
      /check the host in --git-url/,
    ],
    ["fatal: unable to access 'https://x/': Could not resolve host: x", /check the host in --git-url/],
    ["Host key verification failed.", /known_hosts file/],
    ["No ED25519 host key is known for git.example.test", /known_hosts file/],
    [
      "ERROR: The key you are authenticating with has been marked as read only.",
      /give fluxd's deploy key write access/,
    ],
    ["git@example.test: Permission denied (publickey).", /add fluxd's deploy key.*\nssh-rsa AAAA flux$/s],
    ["fatal: Authentication failed for 'https://example.test/r'", /GIT_AUTHUSER and GIT_AUTHKEY/],
    ["The requested URL returned error: 403", /GIT_AUTHUSER and GIT_AUTHKEY/],
    ["ERROR: Repository not found.", /check --git-url/],
    ["fatal: '/x' does not appear to be a git repository", /check --git-url/],
    ["ssh: connect to host example.test port 22: Connection refused", /cluster can reach the git host/],
    ["ssh: connect to host example.test port 22: Connection timed out", /cluster can reach the git host/],
    ["something new", /see fluxd's log/],
  ] as const) {
    it(`knows what to do about "${error}"`, () => {
      assert.match(adviceFor(error, key), advice);
    });
  }

  it("speaks of no key where there is none", () => {
    assert.doesNotMatch(adviceFor("Permission denied", ""), /key/);
    assert.doesNotMatch(adviceFor("Repository not found", ""), /key/);
  });
});

describe("gistOf", () => {
  for (const [what, error, gist] of [
    [
      "the line that says why",
      "git clone --mirror: fatal: Could not read from remote repository., full output:\n Cloning into bare repository '/tmp/x'...\ngit@example.test: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n",
      "git@example.test: Permission denied (publickey).",
    ],
    ["all there is", "configured branch 'x' does not exist", "configured branch 'x' does not exist"],
    ["one line", "first\n  second", "first second"],
    [
      "the beginning where git says nothing more",
      "git push: fatal: failed, full output:\n To ssh://example.test/r\nerror: failed to push some refs to 'x'",
      "git push: fatal: failed",
    ],
  ] as const) {
    it(`is ${what}`, () => {
      assert.equal(gistOf(error), gist);
    });
  }
});
