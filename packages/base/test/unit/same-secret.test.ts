import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSameSecret } from "../../src/same-secret.ts";

describe("secrets", () => {
  it("are the same where every byte is, as text or as bytes", () => {
    assert.equal(isSameSecret("sesame", "sesame"), true);
    assert.equal(isSameSecret("sesame", Buffer.from("sesame")), true);
    assert.equal(isSameSecret(Buffer.from([0xff]), Buffer.from([0xff])), true);
  });

  it("are not the same where they differ in length, case or one byte", () => {
    for (const other of ["", "sesam", "sesame ", "Sesame", "sesamf"]) {
      assert.equal(isSameSecret("sesame", other), false);
    }
  });
});
