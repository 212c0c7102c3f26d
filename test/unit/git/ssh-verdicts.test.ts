import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SshKeygenError } from "../../../src/git/errors.ts";
import type { KeyVerdict } from "../../../src/git/signature.ts";
import { judgeCommits, judgeTag } from "../../../src/git/ssh-verdicts.ts";

const id = "a".repeat(40);
const signers = { path: "/tmp/signers", program: "/tmp/ssh-keygen", digest: "", faulty: new Set([2]) };
const stranger = 'Good "git" signature with ED25519 key SHA256:k\n';
const noPrincipal = "No principal matched.\n";
const notVerified = "Could not verify signature.\n";

/** What git prints about a commit, and the verdict that's read from it. */
function verdictOn(status: string, words: string, stderr = ""): KeyVerdict | undefined {
  const stdout = [id, status, status === "B" ? "" : "SHA256:k", status === "G" ? "dev" : "", words, ""].join(
    "\0",
  );
  return judgeCommits([id], signers).parse({ stdout, stderr, exitCode: 0 }).get(id);
}

describe("git's verdict on a commit with an SSH signature", () => {
  it("is good, by whom git says", () => {
    assert.deepEqual(verdictOn("G", 'Good "git" signature for dev with ED25519 key SHA256:k\n'), {
      status: "G",
      key: "SHA256:k",
      signer: "dev",
      reason: "signed by dev",
    });
  });

  for (const [status, words, reason] of [
    ["N", "", "git finds no signature in it, or no date"],
    ["U", stranger + noPrincipal, "the key isn't among the allowed signers"],
    [
      "U",
      `${stranger}/tmp/signers:2: invalid key\n${noPrincipal}`,
      "the key isn't among the allowed signers",
    ],
    [
      "U",
      `${stranger}/tmp/signers:3: key has expired\n${noPrincipal}/tmp/signers:3: key has expired\n`,
      "the key may not sign: line 3: key has expired",
    ],
    [
      "B",
      `${notVerified}Signature verification failed: incorrect signature\n`,
      "this is not what was signed: it or its signature was changed",
    ],
    [
      "B",
      `${notVerified}/tmp/signers:1: key is not permitted for use in signature namespace "git"\n`,
      'the key may not sign: line 1: key is not permitted for use in signature namespace "git"',
    ],
    ["B", notVerified, "the key may not sign for any of its principals"],
    [
      "B",
      `${notVerified}Couldn't verify signature: namespace does not match\n`,
      "the signature can't be used: Couldn't verify signature: namespace does not match",
    ],
    ["B", `${notVerified}\u001b[2J\n`, String.raw`the signature can't be used: \u001b[2J`],
    ["B", `${notVerified}${"x".repeat(9000)}\n`, `the signature can't be used: ${"x".repeat(271)}…`],
  ] as const) {
    it(`is ${status}: ${reason.slice(0, 80)}`, () => {
      const verdict = verdictOn(status, words);

      assert.deepEqual([verdict?.status, verdict?.reason], [status, reason]);
    });
  }

  for (const [what, status, words, stderr] of [
    ["can't be started", "B", "", "error: cannot run ssh-keygen: No such file or directory\n"],
    ["is killed", "G", "", "error: ssh-keygen died of signal 9\n"],
    ["says nothing", "B", "", ""],
    ["says nothing about a signature that git doesn't know", "E", "", ""],
    ["doesn't say that it knows no principal", "U", stranger, ""],
    [
      "can't read the signature",
      "B",
      `${notVerified}Couldn't read signature file: Too many open files\n`,
      "",
    ],
    [
      "can't read the allowed signers",
      "U",
      `Unable to open allowed keys file "x"\n${stranger}${noPrincipal}`,
      "",
    ],
  ] as const) {
    it(`is missing if ssh-keygen ${what}`, () => {
      assert.throws(() => verdictOn(status, words, stderr), SshKeygenError);
    });
  }

  it("is missing if git lists other commits", () => {
    const stdout = ["b".repeat(40), "G", "k", "dev", "", ""].join("\0");

    assert.throws(
      () => judgeCommits([id], signers).parse({ stdout, stderr: "", exitCode: 0 }),
      SshKeygenError,
    );
  });
});

describe("git's verdict on a tag with an SSH signature", () => {
  for (const [status, exitCode, stderr] of [
    ["G", 0, 'Good "git" signature for dev with ED25519 key with ED25519 key SHA256:k\n'],
    ["U", 1, stranger + noPrincipal],
    ["B", 1, `${notVerified}Signature verification failed: incorrect signature\n`],
  ] as const) {
    it(`is ${status} by its exit code`, () => {
      const verdict = judgeTag(id, signers).parse({ stdout: "", stderr, exitCode });

      assert.equal(verdict.status, status);
      assert.equal(verdict.signer, status === "G" ? "dev with ED25519 key" : undefined);
    });
  }

  it("isn't good because of a message", () => {
    const stderr = 'Good "git" signature for dev with ED25519 key SHA256:k\n';

    assert.throws(() => judgeTag(id, signers).parse({ stdout: "", stderr, exitCode: 1 }), SshKeygenError);
  });

  it("is missing if ssh-keygen can't be started", () => {
    const stderr = "error: cannot run ssh-keygen: No such file or directory\n";

    assert.throws(() => judgeTag(id, signers).parse({ stdout: "", stderr, exitCode: 1 }), SshKeygenError);
  });
});
