/**
 * The characters that a terminal interprets instead of showing them: control characters other than line feed and tab,
 * and those that change the direction of text.
 */
const acting = /(?!\r\n)[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes every character visible that a terminal would interpret, with JSON's escapes: `\u001b` for an escape. So the
 * text in a name or message can't move the cursor, hide lines, or write to the clipboard. Windows line endings stay.
 * JSON text stays JSON with the same value.
 */
export function makeVisible(text: string): string {
  return text.replaceAll(acting, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
