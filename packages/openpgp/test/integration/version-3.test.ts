import assert from "node:assert/strict";
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks, TempFolder } from "@weir/testing";
import { SecretKeyPacket } from "openpgp";
import { Keyring } from "../../src/index.ts";
import { Tag, writePacket } from "../../src/packets.ts";
import { packetsIn } from "../support/packets.ts";
import { GnuPg } from "./support/gnupg.ts";

const data = Buffer.from("data");

describe("a signature of version 3", { skip: lacks("gpg") }, () => {
  const gpg = new GnuPg();
  const folder = new TempFolder();
  const keyring = new Keyring();
  let signature = Buffer.alloc(0);

  before(async () => {
    const fingerprint = await gpg.makeKey({ userId: "Old <old@example.test>", algorithm: "rsa2048" });
    const secret = await gpg.run(["--export-secret-keys", fingerprint]);
    await keyring.import(secret, { trusted: true });
    signature = Buffer.from(makeSignature(await privateKeyIn(secret), fingerprint));
  });
  after(async () => {
    await gpg[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function isGoodForGpg(signed: Buffer): Promise<boolean> {
    const path = join(folder.path, "signature");
    writeFileSync(path, signature);
    return (await gpg.try(["--verify", path, "-"], signed)).code === 0;
  }

  it("is good, as for gpg", async () => {
    assert.ok(await isGoodForGpg(data));

    assert.equal((await keyring.verify({ data, signature })).status, "G");
  });

  it("is bad for other data, as for gpg", async () => {
    const other = Buffer.from("other");
    assert.ok(!(await isGoodForGpg(other)));

    assert.equal((await keyring.verify({ data: other, signature })).status, "B");
  });
});

/** The key in the first packet. */
async function privateKeyIn(secret: Buffer): Promise<KeyObject> {
  const [{ body } = { body: Buffer.alloc(0) }] = packetsIn(secret);
  const packet = new SecretKeyPacket();
  await packet.read(body);
  const numbers = new Map<string, unknown>([
    ...Object.entries(packet.publicParams),
    ...Object.entries(packet.privateParams ?? {}),
  ]);
  const [n, e, d, p, q] = ["n", "e", "d", "p", "q"].map((name) => numberOf(numbers.get(name)));
  assert.ok(n && e && d && p && q);
  const values = { n, e, d, p: q, q: p, dp: d % (q - 1n), dq: d % (p - 1n), qi: inverse(p, q) };
  const key = Object.fromEntries(
    Object.entries(values).map(([name, number]) => [name, bytesOf(number).toString("base64url")]),
  );
  return createPrivateKey({ key: { kty: "RSA", ...key }, format: "jwk" });
}

function numberOf(bytes: unknown): bigint {
  assert.ok(bytes instanceof Uint8Array);
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

/** Of a number modulo a prime, by Fermat's little theorem. */
function inverse(number: bigint, prime: bigint): bigint {
  let [result, base] = [1n, number % prime];
  for (let exponent = prime - 2n; exponent > 0n; exponent >>= 1n) {
    result = (exponent & 1n) === 1n ? (result * base) % prime : result;
    base = (base * base) % prime;
  }
  return result;
}

function bytesOf(number: bigint): Buffer {
  const digits = number.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
}

function makeSignature(key: KeyObject, fingerprint: string): Uint8Array {
  const signed = Buffer.alloc(5);
  signed.writeUInt32BE(1_700_000_000, 1);
  const number = sign("sha256", Buffer.concat([data, signed]), key);
  const bits = number.length * 8 - Math.clz32(number[0] ?? 0) + 24;
  const body = Buffer.concat([
    Uint8Array.of(3, signed.length),
    signed,
    Buffer.from(fingerprint.slice(-16), "hex"),
    // RSA, SHA-256, and a hint about the digest, which nobody checks.
    Uint8Array.of(1, 8, 0, 0, bits >> 8, bits & 0xff),
    number,
  ]);
  return writePacket({ tag: Tag.signature, body });
}
