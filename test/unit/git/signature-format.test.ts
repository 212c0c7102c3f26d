import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatOf } from "../../../src/git/signature-format.ts";

describe("the kind of a signature", () => {
  for (const [text, kind] of [
    ["-----BEGIN PGP SIGNATURE-----\nx", "openpgp"],
    ["-----BEGIN PGP MESSAGE-----\nx", "openpgp"],
    ["-----BEGIN SSH SIGNATURE-----\nx", "ssh"],
    ["-----BEGIN SIGNED MESSAGE-----\nx", "x509"],
    ["-----BEGIN SOMETHING-----", "unknown"],
    ["", "unknown"],
    [" -----BEGIN PGP SIGNATURE-----", "unknown"],
  ] as const) {
    it(`of ${JSON.stringify(text)} is ${kind}`, () => {
      assert.equal(formatOf({ signature: Buffer.from(text) }), kind);
    });
  }
});
