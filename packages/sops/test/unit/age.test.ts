import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { AgeKeyService, type AgeSources, decrypt } from "@weir/sops";
import { TempFolder } from "@weir/testing";
import { ageKeyFile, recordedFile } from "./recorded-files.ts";

const file = recordedFile("a Secret with age");
const identity = readFileSync(ageKeyFile, "utf8");

async function decrypted(sources: Partial<AgeSources>, signal: AbortSignal): Promise<string> {
  const keys = new AgeKeyService({ environment: {}, configFolder: undefined, ...sources });
  return Buffer.from(
    await decrypt({ bytes: Buffer.from(file.encrypted), format: "yaml", keys }, signal),
  ).toString();
}

describe("age identities come from", () => {
  it("SOPS_AGE_KEY", async (t) => {
    const text = await decrypted({ environment: { SOPS_AGE_KEY: identity } }, t.signal);

    assert.match(text, /hunter2/);
  });

  it("the file in the configuration folder", async (t) => {
    using folder = new TempFolder();
    folder.write("sops/age/keys.txt", identity);

    assert.match(await decrypted({ configFolder: folder.path }, t.signal), /hunter2/);
  });
});

describe("without a fitting age identity,", () => {
  it("the error says where identities come from", async (t) => {
    await assert.rejects(decrypted({}, t.signal), /no age identity found; set SOPS_AGE_KEY/);
  });

  it("the error names a key file that can't be read", async (t) => {
    const environment = { SOPS_AGE_KEY_FILE: "/does/not/exist" };

    await assert.rejects(decrypted({ environment }, t.signal), /open \/does\/not\/exist: no such file/);
  });

  it("the error doesn't quote a damaged identity", async (t) => {
    const environment = { SOPS_AGE_KEY: `${identity.trim().slice(0, -4)}QQQQ` };

    await assert.rejects(decrypted({ environment }, t.signal), (error: Error) => {
      assert.doesNotMatch(error.message, /AGE-SECRET-KEY/);
      return true;
    });
  });
});
