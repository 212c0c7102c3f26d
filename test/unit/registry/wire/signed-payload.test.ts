import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WireError } from "@weir/http";
import { signedPayload } from "../../../../src/registry/wire/signed-payload.ts";

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

/** A manifest with a signature of everything before it, and of the tail that it tells. */
function sign(payload: string, tail: string, header: object = {}): Buffer {
  const body = payload.slice(0, -tail.length);
  const protectedHeader = { formatLength: body.length, formatTail: base64url(tail), ...header };
  const signature = { protected: base64url(JSON.stringify(protectedHeader)) };
  return Buffer.from(`${body}, "signatures": ${JSON.stringify([signature])}${tail}`);
}

describe("what the digest of a signed manifest is made of", () => {
  const payload = '{\n  "schemaVersion": 1,\n  "name": "app"\n}';

  it("is the manifest as it was before it was signed", () => {
    assert.equal(Buffer.from(signedPayload(sign(payload, "\n}"))).toString(), payload);
  });

  it("is all of a manifest that is not signed", () => {
    const bytes = Buffer.from(payload);

    assert.equal(Buffer.from(signedPayload(bytes)).toString(), payload);
  });

  it("is an error where the signature does not tell", () => {
    assert.throws(() => signedPayload(sign(payload, "\n}", { formatLength: "all" })), WireError);
    assert.throws(() => signedPayload(Buffer.from('{"signatures": [{"protected": "%%"}]}')), WireError);
    assert.throws(() => signedPayload(Buffer.from("no JSON")), WireError);
  });
});
