import { MalformedError } from "../malformed-error.ts";

const openPgp = 2;
const ephemeral = 2;

/** Length, type, version, flags, and where the key is: in bytes. */
const blobHeader = 16;

/** The OpenPGP keys in a `pubring.kbx`, one after the other. */
export function readKeybox(bytes: Uint8Array): Uint8Array {
  const keys: Uint8Array[] = [];
  const file = Buffer.from(bytes);
  for (let at = 0; at < file.length; ) {
    const length = at + blobHeader > file.length ? 0 : file.readUInt32BE(at);
    const blob = file.subarray(at, at + length);
    if (length < blobHeader || blob.length < length) {
      throw new MalformedError("it ends too early");
    }
    if (blob[4] === openPgp && (blob.readUInt16BE(6) & ephemeral) === 0) {
      const start = blob.readUInt32BE(8);
      keys.push(blob.subarray(start, start + blob.readUInt32BE(12)));
    }
    at += length;
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
