import { code, isBlankOrEnd } from "../characters.ts";
import type { Cursor } from "./cursor.ts";

/** Whether `---` or `...` stands here, at the beginning of a line and with white space after it. */
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
