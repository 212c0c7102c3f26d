import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllowedSigners, verifySshSignature } from "../../src/index.ts";
import { alter } from "../support/craft.ts";
import { SoftwareKey } from "../support/software-key.ts";

const data = "the data";
const key = new SoftwareKey("ed25519");
const authority = new SoftwareKey("ed25519");
const good = key.sign(data);
const certificate = key.certify(authority, { principals: ["dev", "ops"], validAfter: 1e9, validBefore: 2e9 });
const certified = key.sign(data, certificate);
const fingerprint = reasonFor("dev", good).key;

describe("the reason of a verdict says that", () => {
  const reasons: readonly (readonly [reason: string, options: string, signature?: string, at?: string])[] = [
    ["signed by dev", "dev"],
    ["the key isn't among the allowed signers", `dev cert-authority`],
    [
      "the key may not sign: line 1: the key expired at 2025-12-31 00:00:00 UTC",
      'dev valid-before="20251231Z"',
    ],
    [
      "the key may not sign: line 1: the key isn't valid before 2026-12-31 00:00:00 UTC",
      'dev valid-after="20261231Z"',
    ],
    [
      `key ${fingerprint} may not sign: line 1: the key may sign only in namespaces file,mail, not in git`,
      'dev namespaces="file,mail"',
    ],
    ["the signature is for namespace file, not for git", "dev", alter(good, { namespace: "file" })],
    [
      String.raw`the signature is for namespace a\n\u001b[2J, not for git`,
      "dev",
      alter(good, { namespace: "a\n\x1b[2J" }),
    ],
    [
      `the signature is for namespace ${"x".repeat(100)}…, not for git`,
      "dev",
      alter(good, { namespace: "x".repeat(5000) }),
    ],
    [
      `this is not what was signed with key ${fingerprint}: one of the two was changed`,
      "dev",
      key.sign("other data"),
    ],
    ["the signature can't be used: it ends too early", "dev", alter(good, { key: Buffer.alloc(2) })],
    ["the signature can't be used: its last line is missing", "dev", good.slice(0, -20)],
    ["the date of the signature is out of range", "dev", good, "+010000-01-01"],
    ["the date of the signature is out of range", "dev", good, "no date"],
    ["signed by ops", "ops cert-authority", certified],
    [
      "the key may not sign: line 1: the certificate expired at 2033-05-18 03:33:20 UTC",
      "dev cert-authority",
      certified,
      "2034-01-01",
    ],
    [
      "the key may not sign: line 1: the certificate isn't valid before 2001-09-09 01:46:40 UTC",
      "dev cert-authority",
      certified,
      "2001-01-01",
    ],
    [
      "the key may not sign: line 1: the certificate is for dev, ops, which the line doesn't list",
      "*@example.com cert-authority",
      certified,
    ],
  ];
  for (const [reason, options, signature = good, at] of reasons) {
    it(reason.replaceAll(fingerprint, "SHA256:…"), () => {
      assert.equal(reasonFor(options, signature, at).reason, reason);
    });
  }

  it("each line is wrong in its own way", () => {
    const lines = [
      `dev valid-before="20200101Z" ${key.publicKey}`,
      `ops valid-after="20300101Z" ${key.publicKey}`,
    ];
    const allowed = parseAllowedSigners(Buffer.from(lines.join("\n")));

    const { reason } = verifySshSignature(
      { data: Buffer.from(data), signature: good, at: new Date("2026-01-01") },
      allowed,
    );

    assert.equal(
      reason,
      "the key may not sign: line 1: the key expired at 2020-01-01 00:00:00 UTC; " +
        "line 2: the key isn't valid before 2030-01-01 00:00:00 UTC",
    );
  });
});

function reasonFor(
  options: string,
  signature: string,
  at = "2026-01-01",
): { readonly reason: string; readonly key: string } {
  const listed = signature === certified ? authority : key;
  const allowed = parseAllowedSigners(Buffer.from(`${options} ${listed.publicKey}`));
  return verifySshSignature({ data: Buffer.from(data), signature, at: new Date(at) }, allowed);
}
