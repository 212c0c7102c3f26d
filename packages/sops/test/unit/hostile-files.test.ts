import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type DecryptRequest, decrypt, type KeyService, MetadataNotFoundError, SopsError } from "@weir/sops";

/** Knows no key. */
const noKeys: KeyService = { decrypt: () => Promise.reject(new Error("no key")) };

const metadata = `sops:
  lastmodified: "2026-01-01T00:00:00Z"
  mac: ENC[AES256_GCM,data:YQ==,iv:YQ==,tag:YQ==,type:str]
  age:
  - recipient: age1
    enc: x
`;

function decrypted(text: string, format: DecryptRequest["format"], signal: AbortSignal): Promise<Uint8Array> {
  return decrypt({ bytes: Buffer.from(text), format, keys: noKeys }, signal);
}

describe("decrypt refuses", () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    .concat(
      Array.from("bcdefgh", (name, index) => {
        const alias = `*${"abcdefgh"[index]}`;
        return `${name}: &${name} [${Array(9).fill(alias).join(", ")}]`;
      }),
    )
    .join("\n");
  const files: readonly (readonly [string, DecryptRequest["format"], string])[] = [
    ["aliases that stand for millions of values", "yaml", `${bomb}\n${metadata}`],
    ["an alias inside its own anchor", "yaml", `a: &a [*a]\n${metadata}`],
    ["deep nesting in YAML", "yaml", `a: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n${metadata}`],
    ["deep nesting in JSON", "json", `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
    ["a list index beyond any list", "env", "A=b\nsops_age__list_4294967295__map_enc=x\nsops_mac=x\n"],
    ["a document that isn't a mapping", "yaml", "- sops: {}\n"],
    ["metadata that isn't a mapping", "yaml", "sops: [1]\n"],
    ["metadata without keys", "yaml", 'a: b\nsops:\n  lastmodified: "2026-01-01T00:00:00Z"\n  mac: x\n'],
    ["metadata without a time", "yaml", "a: b\nsops:\n  mac: x\n"],
    ["metadata that occurs twice", "yaml", `a: b\n${metadata}${metadata}`],
    [
      "two rules about what is encrypted",
      "yaml",
      `a: b\n${metadata}  encrypted_regex: a\n  encrypted_suffix: b\n`,
    ],
    ["a key that nobody has", "yaml", `a: b\n${metadata}`],
    ["text that isn't YAML", "yaml", "sops: {\n"],
    ["text that isn't JSON", "json", '{"sops": {}'],
    ["an ini file with an open value", "ini", 'a = """\n'],
    ["bytes that aren't text", "yaml", "\u0000\u0001\ufffe"],
  ];

  for (const [name, format, text] of files) {
    it(name, async (t) => {
      await assert.rejects(decrypted(text, format, t.signal), SopsError);
    });
  }
});

describe("decrypt says that a file isn't encrypted", () => {
  for (const [name, format, text] of [
    ["YAML that only mentions sops", "yaml", "# sops: no\na:\n  sops: b\n"],
    ["an empty file", "yaml", ""],
    ["metadata that is null", "yaml", "sops:\na: b\n"],
    ["JSON", "json", '{"a": "b"}'],
    ["env", "env", "A=b\n"],
    ["ini", "ini", "[a]\nb = c\n"],
  ] as const) {
    it(`for ${name}`, async (t) => {
      await assert.rejects(decrypted(text, format, t.signal), MetadataNotFoundError);
    });
  }
});

describe("the error for keys that nobody has", () => {
  it("names each of them and says why it could not be used", async (t) => {
    await assert.rejects(decrypted(`a: b\n${metadata}`, "yaml", t.signal), {
      name: "DataKeyError",
      message: "Error getting data key: 0 successful groups required, got 0 (age1: no key)",
    });
  });
});
