import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAgentKey } from "../../src/gnupg-home/agent-key.ts";

const point = Buffer.from(`40${"ab".repeat(32)}`, "hex");
const secret = Buffer.from("00cd".repeat(16), "hex");

/** As gpg 2.2 writes it. */
const canonical = Buffer.concat([
  Buffer.from("(11:private-key(3:ecc(5:curve7:Ed25519)(5:flags5:eddsa)(1:q33:"),
  point,
  Buffer.from(")(1:d32:"),
  secret,
  Buffer.from(")))"),
]);

/** As later versions write it. */
const textual = [
  "Created: 20230101T000000",
  "Key: (private-key (ecc (curve Ed25519)(flags eddsa)(q",
  ` #${point.toString("hex").toUpperCase()}#)(d #${secret.toString("hex").slice(0, 20)}`,
  `  ${secret.toString("hex").slice(20)}#)))`,
  "Label: mine",
  "",
].join("\n");

describe("a file of gpg-agent", () => {
  for (const [title, file] of [
    ["in canonical form", canonical],
    ["in textual form", Buffer.from(textual)],
  ] as const) {
    it(`${title} has the secret, and tells whose it is`, () => {
      const key = readAgentKey(file);

      assert.equal(key?.publicValue, point.toString("hex").toUpperCase());
      assert.deepEqual(Buffer.from(key.secrets?.get("d") ?? []), secret);
    });
  }

  it("may have numbers as text between quotes, with escapes", () => {
    const text = String.raw`\x00\"\\\r\101a)#` + "\\\nb";
    const file = `(private-key (elg (y #0A#)(x "${text}")))`;

    const key = readAgentKey(Buffer.from(file));

    assert.deepEqual(Buffer.from(key?.secrets?.get("x") ?? []).toString("latin1"), '\0"\\\rAa)#b');
  });

  it("has no secret if it's protected, and no key if it's on a card", () => {
    const locked = "(21:protected-private-key(3:rsa(1:n2:ab)(9:protected3:...)))";
    assert.equal(readAgentKey(Buffer.from(locked))?.secrets, undefined);
    assert.equal(readAgentKey(Buffer.from("(20:shadowed-private-key(3:rsa(1:n2:ab)))")), undefined);
  });

  it("is refused if it's something else", () => {
    for (const text of [
      "",
      "(",
      "()",
      "hello",
      "(11:private-key)",
      "(999999:a)",
      "(".repeat(50),
      "(11:private-key 1:a",
    ]) {
      assert.throws(() => {
        if (readAgentKey(Buffer.from(text)) === undefined) {
          throw new TypeError("not a key");
        }
      });
    }
  });
});
