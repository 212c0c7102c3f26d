import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hideDecrypted, openTexts } from "../../../src/manifests/revealed.ts";

const revealed = {
  encrypted: Buffer.from("kind: Secret\npassword: ENC[x]\npin: ENC[y]\n"),
  clear: Buffer.from("kind: Secret\npassword: hunter2\npin: 42\n"),
};

describe("hideDecrypted", () => {
  it("hides what only the decrypted file contains", () => {
    assert.equal(
      hideDecrypted("cannot unmarshal !!str `hunter2` into int of Secret", revealed),
      "cannot unmarshal !!str `<hidden>` into int of Secret",
    );
  });

  it("hides a short value where it's in quotes", () => {
    assert.equal(hideDecrypted('"42" at line 42 of "kind"', revealed), '"<hidden>" at line 42 of "kind"');
  });
});

describe("openTexts", () => {
  it("are the values of an encrypted file as they are", () => {
    assert.deepEqual([...openTexts(revealed.encrypted)], ["Secret", "ENC[x]", "ENC[y]"]);
  });
});
