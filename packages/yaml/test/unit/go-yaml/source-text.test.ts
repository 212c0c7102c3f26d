import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeSource } from "../../../src/go-yaml/source-text.ts";

describe("decodeSource", () => {
  it("reads UTF-8, with a byte order mark or without", () => {
    assert.deepEqual(decodeSource(Buffer.from("\ufeffa: é😀")), { text: "a: é😀", fault: undefined });
    assert.deepEqual(decodeSource(Buffer.from("a: é")), { text: "a: é", fault: undefined });
  });

  it("reads UTF-16 of both orders", () => {
    const little = Buffer.from("\ufeffa: é", "utf16le");
    const big = Buffer.from(little).swap16();

    assert.deepEqual(
      [decodeSource(little), decodeSource(big)],
      [
        { text: "a: é", fault: undefined },
        { text: "a: é", fault: undefined },
      ],
    );
  });

  const faults: readonly (readonly [bytes: readonly number[], fault: string])[] = [
    [[0x61, 0xff], "invalid leading UTF-8 octet"],
    [[0xc3, 0x28], "invalid trailing UTF-8 octet"],
    [[0xe2, 0x82], "incomplete UTF-8 octet sequence"],
    [[0xc0, 0x80], "invalid length of a UTF-8 sequence"],
    [[0xed, 0xa0, 0x80], "invalid Unicode character"],
    [[0x61, 0x07], "control characters are not allowed"],
    [[0xff, 0xfe, 0x61], "incomplete UTF-16 character"],
  ];
  for (const [bytes, fault] of faults) {
    it(`finds in ${Buffer.from(bytes).toString("hex")}: ${fault}`, () => {
      assert.equal(decodeSource(Uint8Array.from(bytes)).fault, fault);
    });
  }

  it("cuts the text before the piece of 512 bytes with the fault", () => {
    const text = "a: b\n".repeat(300);

    const source = decodeSource(Buffer.concat([Buffer.from(text), Buffer.from([0x07])]));

    assert.deepEqual(source, { text: text.slice(0, 1024), fault: "control characters are not allowed" });
  });

  it("finds a fault behind millions of characters, also where they have several bytes", {
    timeout: 10_000,
  }, () => {
    const text = "aé€😀".repeat(1_500_000);

    const { text: sound, fault } = decodeSource(
      Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28])]),
    );

    assert.equal(fault, "invalid trailing UTF-8 octet");
    assert.ok(text.startsWith(sound) && text.length - sound.length < 512);
  });
});
