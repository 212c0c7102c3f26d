import { isUtf8 } from "node:buffer";

/**
 * Converts bytes that are mostly text, such as file names: valid UTF-8 stays, and every other byte becomes "\xff". So
 * two names that differ only in such bytes stay different, unlike with the replacement character.
 */
export function printBytes(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : partsOf(bytes).join("");
}

function partsOf(bytes: Buffer): readonly string[] {
  const parts: string[] = [];
  let begin = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    if (length === 0) {
      parts.push(bytes.toString("utf8", begin, at), `\\x${(bytes[at] ?? 0).toString(16).padStart(2, "0")}`);
      begin = at + 1;
    }
    at += Math.max(length, 1);
  }
  return [...parts, bytes.toString("utf8", begin)];
}

/** The length in bytes of the character that starts here; 0 if none does. */
function lengthAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const character = bytes.subarray(at, at + length);
  return character.length === length && isUtf8(character) ? length : 0;
}
