import { code, isBlankOrEnd } from "../characters.ts";
import type { Cursor } from "./cursor.ts";

/** True if `---` or `...` is here, at the start of a line and followed by white space. */
export function isDocumentIndicator(cursor: Cursor): boolean {
  if (cursor.column !== 0) {
    return false;
  }
  const char = cursor.peek();
  return (
    (char === code.dash || char === code.dot) &&
    cursor.peek(1) === char &&
    cursor.peek(2) === char &&
    isBlankOrEnd(cursor.peek(3))
  );
}
