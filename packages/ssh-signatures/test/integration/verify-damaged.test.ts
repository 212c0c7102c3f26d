import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { wireString } from "../../src/wire.ts";
import { alter, type Fields, takeApart, withKey } from "../support/craft.ts";
import { commitTime, Lab } from "../support/lab.ts";

describe("verifySshSignature judges unusual and damaged signatures as git and ssh-keygen do:", {
  concurrency: 4,
}, () => {
  const lab = new Lab();
  const key = lab.createKey("key", "-t", "ed25519");
  const other = lab.createKey("other", "-t", "ed25519");
  const ecdsa = lab.createKey("ecdsa", "-t", "ecdsa");
  const rsa = lab.createKey("rsa", "-t", "rsa", "-b", "2048");
  const allowed = `dev ${key}\nops ${other}\necdsa ${ecdsa}\nrsa ${rsa}\n`;
  const good = lab.sign("key");
  after(() => lab[Symbol.dispose]());

  const texts: readonly (readonly [name: string, change: (text: string) => string, verdict: string])[] = [
    ["no change", (text) => text, "G dev"],
    ["no line break at the end", (text) => text.trimEnd(), "G dev"],
    ["text after the last line", (text) => `${text}more\n\nand more\n`, "G dev"],
    ["text in the last line", (text) => text.replace("END SSH SIGNATURE-----", "$&more"), "G dev"],
    ["text in the first line", (text) => text.replace("BEGIN SSH SIGNATURE-----", "$&more"), "B"],
    ["no last line", (text) => text.replace(/-----END.*/s, ""), "B"],
    ["only the first line", () => "-----BEGIN SSH SIGNATURE-----\n", "B"],
    ["only the first and the last line", (text) => text.replace(/\n.*(?=\n-----END)/s, ""), "B"],
    ["an empty line between", (text) => text.replace(/\n.*(?=\n-----END)/s, "\n"), "B"],
    ["everything on one line", (text) => text.replace(/(?<!-)\n(?!-)/g, ""), "G dev"],
    ["spaces and tabs", (text) => text.replace(/(?<=\n\w{9})/g, " \t"), "G dev"],
    ["line breaks of Windows after the first", (text) => text.replace(/(?<!-)\n/g, "\r\n"), "G dev"],
    ["a hyphen", (text) => text.replace(/\n\w/, "\n-"), "B"],
    ["characters of base64url", (text) => text.replace(/(?<=\n\w{9})./, "_"), "B"],
    ["too much padding", (text) => text.replace(/(?=\n-----END)/, "===="), "B"],
    ["too little text", (text) => text.replace(/.(?=\n-----END)/, ""), "B"],
    ["the signature twice", (text) => text + text, "G dev"],
  ];
  for (const [name, change, verdict] of texts) {
    it(name, async () => {
      assert.equal(await lab.check({ allowed, signature: change(await good) }), verdict);
    });
  }

  const fields: readonly (readonly [
    name: string,
    change: (fields: Fields) => Partial<Fields>,
    verdict: string,
  ])[] = [
    ["another magic number", () => ({ magic: "SSHSIX" }), "B"],
    ["version 0", () => ({ version: 0 }), "G dev"],
    ["version 2", () => ({ version: 2 }), "B"],
    ["another namespace", () => ({ namespace: "file" }), "B"],
    ["no namespace", () => ({ namespace: "" }), "B"],
    ["a NUL after the namespace", () => ({ namespace: "git\0" }), "G dev"],
    ["a NUL in the namespace", () => ({ namespace: "git\0x" }), "B"],
    ["text in the reserved field", () => ({ reserved: "text" }), "G dev"],
    ["another hash", () => ({ hash: "sha256" }), "B"],
    ["an unknown hash", () => ({ hash: "sha384" }), "B"],
    ["a list of hashes", () => ({ hash: "sha512,sha256" }), "B"],
    ["a pattern as the hash", () => ({ hash: "sha*" }), "B"],
    ["data after the end", () => ({ rest: "x" }), "B"],
    ["no signature", () => ({ signature: Buffer.alloc(0) }), "B"],
    [
      "data after the signature",
      ({ signature }) => ({ signature: Buffer.concat([signature, Buffer.of(0)]) }),
      "B",
    ],
    ["a shorter signature", ({ signature }) => ({ signature: signature.subarray(0, -1) }), "B"],
    ["a signature of 63 bytes", () => ({ signature: raw("ssh-ed25519", Buffer.alloc(63)) }), "B"],
    ["a signature of zeros", () => ({ signature: raw("ssh-ed25519", Buffer.alloc(64)) }), "B"],
    ["another algorithm", () => ({ signature: raw("ssh-rsa", Buffer.alloc(64)) }), "B"],
    ["no key", () => ({ key: Buffer.alloc(0) }), "B"],
    ["an unknown type of key", () => ({ key: wireString("ssh-unknown") }), "B"],
    ["a key that is too short", ({ key }) => ({ key: key.subarray(0, -1) }), "B"],
    ["data after the key", ({ key }) => ({ key: Buffer.concat([key, Buffer.of(0)]) }), "B"],
  ];
  for (const [name, change, verdict] of fields) {
    it(name, async () => {
      const signature = alter(await good, change(takeApart(await good)));

      assert.equal(await lab.check({ allowed, signature }), verdict);
    });
  }

  it("another key that is allowed", async () => {
    assert.equal(await lab.check({ allowed, signature: withKey(await good, other) }), "B");
  });

  it("a signature for another namespace", async () => {
    const forFiles = await lab.sign("key", { namespace: "file" });

    assert.equal(await lab.check({ allowed, signature: forFiles }), "B");
    assert.equal(await lab.check({ allowed, signature: alter(forFiles, { namespace: "git" }) }), "B");
  });

  it("a signature for another commit", async () => {
    assert.equal(await lab.check({ allowed, signature: await good, at: commitTime + 1 }), "B");
  });

  it("each bit that is changed", async () => {
    const { signature } = takeApart(await good);
    for (const at of [3, 4, 18, 19, 40, 82]) {
      const changed = Buffer.from(signature);
      changed[at] = (changed[at] ?? 0) ^ 1;

      assert.equal(
        await lab.check({ allowed, signature: alter(await good, { signature: changed }) }),
        "B",
        `${at}`,
      );
    }
  });
});

function raw(algorithm: string, body: Buffer): Buffer {
  return Buffer.concat([wireString(algorithm), wireString(body)]);
}
