import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { DecryptionError, KeyImportError, Keyring, type Verdict } from "../../src/index.ts";
import { readSignature } from "../../src/signature.ts";
import { armorSignature, packetsIn, unarmor } from "../support/packets.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
const data = readFileSync(join(fixtures, "commit.txt"));
const key = unarmored("key.asc");
const message = unarmored("message.asc");
const signatures = ["by-primary-key.asc", "by-subkey.asc", "by-rsa-subkey.asc"].map(unarmored);
const strange = unarmored("by-stranger.asc");
const content = "a secret of 32 bytes, for a file";

function unarmored(name: string): Buffer {
  return unarmor(readFileSync(join(fixtures, name), "utf8"));
}

async function keyringWith(bytes: Uint8Array): Promise<Keyring> {
  const keyring = new Keyring();
  await keyring.import(bytes, { trusted: true });
  return keyring;
}

/** True for everything but "bad" and "can't be checked". */
function matches({ status }: Verdict): boolean {
  return status !== "B" && status !== "E";
}

interface Edit {
  readonly at: number;
  readonly kind: "flip" | "set" | "insert" | "remove" | "repeat" | "cut";
  readonly byte: number;
  readonly length: number;
}

const edits = fc.array(
  fc.record<Edit>({
    at: fc.nat(5_000),
    kind: fc.constantFrom("flip", "set", "insert", "remove", "repeat", "cut"),
    byte: fc.nat(255),
    length: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function edited(bytes: Buffer, changes: readonly Edit[]): Buffer {
  return changes.reduce(applyEdit, bytes);
}

function applyEdit(bytes: Buffer, { at, kind, byte, length }: Edit): Buffer {
  const start = at % Math.max(1, bytes.length);
  const [before, rest] = [bytes.subarray(0, start), bytes.subarray(start)];
  const [first = 0] = rest;
  switch (kind) {
    case "flip":
      return Buffer.concat([before, Uint8Array.of(first ^ (1 << (byte & 7))), rest.subarray(1)]);
    case "set":
      return Buffer.concat([before, Uint8Array.of(byte), rest.subarray(1)]);
    case "insert":
      return Buffer.concat([before, Buffer.alloc(length, byte), rest]);
    case "remove":
      return Buffer.concat([before, rest.subarray(length)]);
    case "repeat":
      return Buffer.concat([before, rest.subarray(0, length), rest]);
    case "cut":
      return before;
  }
}

/** The part of a signature that is itself signed: without the six bytes that its packet doesn't have. */
function signedPart(signature: Buffer): Buffer {
  const [packet] = packetsIn(signature);
  assert.ok(packet);
  return Buffer.from(readSignature(packet.body).packet.signatureData ?? []);
}

describe("hostile input", () => {
  const signedParts = signatures.map(signedPart);

  it("never makes a signature match that was changed in what it signs", async () => {
    const keyring = await keyringWith(key);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...signatures), edits, async (signature, changes) => {
        const mutant = edited(signature, changes);

        const verdict = await keyring.verify({ data, signature: mutant });

        assert.ok(!matches(verdict) || signedParts.some((part) => mutant.includes(part)));
      }),
      runs(4_000),
    );
  });

  it("never makes a signature match other data", async () => {
    const keyring = await keyringWith(key);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...signatures), edits, edits, async (signature, changes, others) => {
        const other = edited(data, others);
        fc.pre(!other.equals(data));

        const verdicts = await Promise.all(
          [signature, edited(signature, changes)].map((each) =>
            keyring.verify({ data: other, signature: each }),
          ),
        );

        assert.ok(!verdicts.some(matches));
      }),
      runs(2_000),
    );
  });

  it("never makes a key accept the signature of another", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...signatures), edits, async (signature, changes) => {
        const keyring = new Keyring();
        await importAnything(keyring, edited(key, changes));

        assert.equal((await keyring.verify({ data, signature: strange })).status, "E");
        await keyring.verify({ data, signature });
      }),
      runs(2_000),
    );
  });

  it("never makes a damaged armor crash", async () => {
    const keyring = await keyringWith(key);
    const armored = Buffer.from(armorSignature(signatures[0] ?? Buffer.alloc(0)));
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        await keyring.verify({ data, signature: edited(armored, changes) });
      }),
      runs(1_000),
    );
  });

  it("never makes a changed message readable", async () => {
    const keyring = await keyringWith(key);
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        try {
          const decrypted = await keyring.decrypt(edited(message, changes));
          assert.equal(Buffer.from(decrypted).toString(), content);
        } catch (error) {
          assert.ok(error instanceof DecryptionError, String(error));
        }
      }),
      runs(1_000),
    );
  });

  it("comes to an end, however large", async () => {
    const huge = Buffer.alloc(2 * 1024 * 1024, 0x88);
    const armored = Buffer.from(
      `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${"A".repeat(2_000_000)}\n`.repeat(2),
    );
    const manySignatures = Buffer.concat(Array.from({ length: 10_000 }, () => signatures[0] ?? huge));
    const keyring = await keyringWith(key);

    assert.equal((await keyring.verify({ data, signature: manySignatures })).status, "E");
    assert.equal((await keyring.verify({ data, signature: huge })).status, "E");
    for (const hostile of [huge, armored, manySignatures, Buffer.concat([key, manySignatures])]) {
      await importAnything(new Keyring(), hostile);
    }
  });

  it("refuses a key with too many signatures of its own", async () => {
    const [, , certification] = [...packetsIn(key)];
    assert.ok(certification);
    const start = key.subarray(0, key.indexOf(certification.body) - 2);
    const many = Array.from({ length: 1_001 }, (_, index) => {
      const body = Buffer.from(certification.body);
      body.writeUInt32BE(index, body.length - 4);
      return Buffer.concat([Uint8Array.of(0x88, body.length), body]);
    });

    await assert.rejects(new Keyring().import(Buffer.concat([start, ...many])), /more than 1000 signatures/);
  });
});

async function importAnything(keyring: Keyring, bytes: Uint8Array): Promise<void> {
  try {
    await keyring.import(bytes, { trusted: true });
  } catch (error) {
    assert.ok(error instanceof KeyImportError, String(error));
  }
}
