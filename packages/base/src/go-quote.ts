const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

/** The characters that Go's strconv.Quote escapes: quotes, backslashes, and everything that can't be printed. */
const escaped = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A text in double quotes, as Go's %q prints it. */
export function quoteGo(text: string): string {
  return `"${text.replace(escaped, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes.get(character) ?? hexEscape(code);
}

function hexEscape(code: number): string {
  if (code < 0x80) {
    return `\\x${code.toString(16).padStart(2, "0")}`;
  }
  // A lone surrogate has no UTF-8 form; Go would have read it as the replacement character.
  if (code >= 0xd800 && code <= 0xdfff) {
    return "\ufffd";
  }
  return code <= 0xffff
    ? `\\u${code.toString(16).padStart(4, "0")}`
    : `\\U${code.toString(16).padStart(8, "0")}`;
}
