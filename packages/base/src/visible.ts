/** What a terminal acts upon instead of showing it: control characters but for line feed and tab, and those that turn the direction of text. */
const acting = /(?!\r\n)[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The text with every character shown that a terminal would act upon, as JSON escapes it: `\u001b` for an escape. So
 * what somebody put into a name or a message cannot move the cursor, hide lines, or write into the clipboard. The line
 * ends of Windows stay. What is JSON stays JSON, of the same value.
 */
export function makeVisible(text: string): string {
  return text.replaceAll(acting, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
