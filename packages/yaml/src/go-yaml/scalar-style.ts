/** How a string is written. */
export type TextStyle = "plain" | "single" | "double" | "literal";

/** Characters that yaml.v2 writes only as escapes; beyond U+FFFF it takes none for printable. */
const unprintable = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const lineBreak = /[\r\n\u0085\u2028\u2029]/;
const spaceAtEdge = /^ | $/;
const breakBeforeSpace = /[\n\u2028\u2029] /;
const spaceBeforeBreak = / [\n\u2028\u2029]/;

/** What would read as an indicator: at the beginning, or anywhere before or after white space. */
const leadingIndicator = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$)|---|\.\.\.)/;
const innerIndicator = /:(?:[ \t]|$)|[ \n\u2028\u2029]#/;

/** Letters and digits in a form that needs no further look. */
const simple = /^[A-Za-z/][A-Za-z0-9_./@-]*$/;

/**
 * How yaml.v2 writes a string: `wanted` as it looks best, or with more quotes where that form cannot hold it or
 * would not read back.
 */
export function styleOf(text: string, wanted: "plain" | "double" | "literal"): TextStyle {
  if (wanted === "double" || (wanted === "plain" && simple.test(text))) {
    return wanted;
  }
  if (wanted === "literal") {
    return isBlockAllowed(text) ? "literal" : "double";
  }
  return isPlainAllowed(text) ? "plain" : isSingleAllowed(text) ? "single" : "double";
}

/** True for a text with any of the line breaks of YAML 1.1. */
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
