import { FormatError } from "./errors.ts";

/**
 * Decodes base64 as strictly as ssh-keygen: white space may be anywhere, but padding must be complete, unused bits
 * zero, and other characters are errors. Throws FormatError.
 */
export function decodeBase64(text: string): Buffer {
  const compact = text.replace(/[ \t\n\v\f\r]+/g, "");
  const bytes = Buffer.from(compact, "base64");
  if (bytes.toString("base64") !== compact) {
    throw new FormatError("the base64 text is damaged");
  }
  return bytes;
}
