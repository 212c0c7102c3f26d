import { decodeBase64 } from "./base64.ts";
import { FormatError } from "./errors.ts";

const begin = "-----BEGIN SSH SIGNATURE-----";
const end = "-----END SSH SIGNATURE-----";

/** ssh-keygen's lines. */
const columns = 70;

/** Whether a signature in a commit or a tag is an SSH signature, which git decides by how it begins. */
export function isSshSignature(signature: string): boolean {
  return signature.startsWith(begin);
}

/** A signature as text, in lines like those of ssh-keygen. */
export function armor(blob: Buffer): string {
  const base64 = blob.toString("base64");
  const lines = base64.match(new RegExp(`.{1,${columns}}`, "g")) ?? [];
  return [begin, ...lines, end, ""].join("\n");
}

/** The bytes of a signature in text form. What follows the last line is ignored, as in ssh-keygen. Throws FormatError. */
export function dearmor(text: string): Buffer {
  const start = /^-----BEGIN SSH SIGNATURE-----\r?\n/.exec(text)?.[0].length;
  if (start === undefined) {
    throw new FormatError("it doesn't begin as an SSH signature does");
  }
  // The line break of the first line can't also be the one before the last line.
  const stop = text.indexOf(`\n${end}`, start);
  if (stop === -1) {
    throw new FormatError("its last line is missing");
  }
  return decodeBase64(text.slice(start, stop));
}
