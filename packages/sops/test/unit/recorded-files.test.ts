import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decrypt, SopsError } from "@weir/sops";
import { keysOf, recordedFiles } from "./recorded-files.ts";

describe("decrypt, for files of the real sops,", () => {
  for (const file of recordedFiles) {
    const { name, format, encrypted, plain } = file;

    if (plain === null) {
      it(`refuses ${name}, as sops does`, async (t) => {
        const decrypted = decrypt({ bytes: Buffer.from(encrypted), format, keys: keysOf(file) }, t.signal);

        await assert.rejects(decrypted, SopsError);
      });
    } else {
      it(`returns the bytes that sops returns for ${name}`, async (t) => {
        const decrypted = await decrypt(
          { bytes: Buffer.from(encrypted), format, keys: keysOf(file) },
          t.signal,
        );

        const expected = Buffer.from(plain, "base64");
        assert.equal(Buffer.from(decrypted).toString(), expected.toString());
        assert.deepEqual(Buffer.from(decrypted), expected);
      });
    }
  }
});
