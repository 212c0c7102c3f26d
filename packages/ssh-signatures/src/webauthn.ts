import { createHash } from "node:crypto";
import { FormatError } from "./errors.ts";
import type { WireReader } from "./wire.ts";

const attestedData = 0x40;
const extensionData = 0x80;

/** The rest of what a browser had signed, in the order in which the security key signs it. */
export interface WebauthnMessage {
  readonly extensions: Buffer;
  readonly hash: Buffer;
}

/**
 * Reads the fields that a WebAuthn signature adds to that of a security key. A browser doesn't sign the data itself, but
 * a JSON text with the data as its challenge. Browsers always write that text in the same way, so comparing its start is
 * enough. Throws FormatError if it's for other data.
 */
export function webauthnMessage(data: Uint8Array, flags: number, reader: WireReader): WebauthnMessage {
  const origin = reader.text();
  const clientData = reader.string();
  const extensions = reader.string();
  const announced = (flags & extensionData) !== 0;
  if (origin.includes('"') || (flags & attestedData) !== 0 || announced !== extensions.length > 0) {
    throw new FormatError("its WebAuthn fields contradict each other");
  }
  const challenge = Buffer.from(data).toString("base64url");
  const start = `{"type":"webauthn.get","challenge":"${challenge}","origin":"${origin}"`;
  if (!clientData.subarray(0, start.length).equals(Buffer.from(start, "latin1"))) {
    throw new FormatError("its WebAuthn text is for other data");
  }
  return { extensions, hash: createHash("sha256").update(clientData).digest() };
}
