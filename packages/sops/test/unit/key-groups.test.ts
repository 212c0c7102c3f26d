import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DataKeyError, decrypt, type KeyService, type MasterKey } from "@weir/sops";
import { keysOf, recordedFile } from "./recorded-files.ts";

/** The key service, without some of its keys. */
function without(keys: KeyService, lost: (key: MasterKey) => boolean): KeyService {
  return {
    decrypt: (key, signal) =>
      lost(key) ? Promise.reject(new Error("the key is lost")) : keys.decrypt(key, signal),
  };
}

describe("of three key groups", () => {
  const file = recordedFile("two of three groups");
  const bytes = Buffer.from(file.encrypted);

  it("any two are enough", async (t) => {
    const keys = without(keysOf(file), ({ type }) => type === "age");

    const decrypted = await decrypt({ bytes, format: "yaml", keys }, t.signal);

    assert.match(Buffer.from(decrypted).toString(), /hunter2/);
  });

  it("one isn't, and the error names the keys of the others", async (t) => {
    const keys = without(keysOf(file), ({ type }) => type === "pgp");

    await assert.rejects(decrypt({ bytes, format: "yaml", keys }, t.signal), (error) => {
      assert.ok(error instanceof DataKeyError);
      assert.match(error.message, /^Error getting data key: 2 successful groups required, got 1 \(/);
      assert.deepEqual(
        error.failures.map(({ key, reason }) => `${key.type}: ${reason}`),
        ["pgp: the key is lost", "pgp: the key is lost"],
      );
      return true;
    });
  });

  it("no more are asked than needed", async (t) => {
    const asked: string[] = [];
    const all = keysOf(file);
    const keys: KeyService = {
      decrypt: (key, signal) => {
        asked.push(key.type);
        return all.decrypt(key, signal);
      },
    };

    await decrypt({ bytes, format: "yaml", keys }, t.signal);

    assert.equal(asked.length, 2);
  });
});
