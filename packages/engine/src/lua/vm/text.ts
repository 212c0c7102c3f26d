/** Texts between JavaScript and Lua: see LuaValue. */

/** The UTF-8 bytes of a text, one in each character. */
export function toBytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** The text of UTF-8 bytes; bytes that aren't UTF-8 become U+FFFD. */
export function fromBytes(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
