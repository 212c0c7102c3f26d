/** The style of a string. */
export type TextStyle = "plain" | "single" | "double" | "literal";

/** The characters that yaml.v2 always escapes; it considers none beyond U+FFFF printable. */
const unprintable = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const lineBreak = /[\r\n\u0085\u2028\u2029]/;
const spaceAtEdge = /^ | $/;
const breakBeforeSpace = /[\n\u2028\u2029] /;
const spaceBeforeBreak = / [\n\u2028\u2029]/;

/** Text that would be read as an indicator: at the start, or anywhere before or after white space. */
const leadingIndicator = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$)|---|\.\.\.)/;
const innerIndicator = /:(?:[ \t]|$)|[ \n\u2028\u2029]#/;

/** Letters and digits in a form that needs no further check. */
const simple = /^[A-Za-z/][A-Za-z0-9_./@-]*$/;

/**
 * The style that yaml.v2 uses for a string: the `wanted` one, or one with more quotes if the string can't be written in
 * it or wouldn't read back.
 */
export function styleOf(text: string, wanted: "plain" | "double" | "literal"): TextStyle {
  if (wanted === "double" || (wanted === "plain" && isSimple(text))) {
    return wanted;
  }
  if (wanted === "literal") {
    return isBlockAllowed(text) ? "literal" : "double";
  }
  return isPlainAllowed(text) ? "plain" : isSingleAllowed(text) ? "single" : "double";
}

/** True for letters and digits in a form that's written as it is, unless it's a word with another meaning. */
export function isSimple(text: string): boolean {
  return simple.test(text);
}

/** True for a text with any of YAML 1.1's line breaks. */
export function isMultiline(text: string): boolean {
  return lineBreak.test(text);
}

function isPlainAllowed(text: string): boolean {
  return (
    !unprintable.test(text) &&
    !lineBreak.test(text) &&
    !spaceAtEdge.test(text) &&
    !leadingIndicator.test(text) &&
    !innerIndicator.test(text)
  );
}

function isSingleAllowed(text: string): boolean {
  return !unprintable.test(text) && !breakBeforeSpace.test(text) && !spaceBeforeBreak.test(text);
}

function isBlockAllowed(text: string): boolean {
  return !text.endsWith(" ") && !unprintable.test(text) && !spaceBeforeBreak.test(text);
}
