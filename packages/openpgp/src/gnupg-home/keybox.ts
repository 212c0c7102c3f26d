import { ByteReader } from "../byte-reader.ts";

const openPgp = 2;
const ephemeral = 2;

/** The OpenPGP keys in a `pubring.kbx`, one after the other. */
export function readKeybox(bytes: Uint8Array): Uint8Array {
  const keys: Uint8Array[] = [];
  const reader = new ByteReader(bytes);
  while (reader.left >= 4) {
    const length = reader.uint32();
    const blob = reader.bytes(Math.max(0, length - 4));
    const content = new ByteReader(blob);
    const type = content.byte();
    content.byte();
    if (type === openPgp && (content.uint16() & ephemeral) === 0) {
      // Offsets count from the length, which is before the blob.
      const start = content.uint32() - 4;
      keys.push(blob.subarray(start, start + content.uint32()));
    }
  }
  return Buffer.concat(keys);
}

const trustRecord = 12;
const ultimate = 6;

/** The fingerprints that a `trustdb.gpg` trusts ultimately. */
export function readTrust(bytes: Uint8Array): readonly string[] {
  const trusted: string[] = [];
  for (let at = 0; at + 40 <= bytes.length; at += 40) {
    if (bytes[at] === trustRecord && ((bytes[at + 22] ?? 0) & 15) === ultimate) {
      trusted.push(
        Buffer.from(bytes.subarray(at + 2, at + 22))
          .toString("hex")
          .toUpperCase(),
      );
    }
  }
  return trusted;
}
