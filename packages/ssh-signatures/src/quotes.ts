/** Where the double quotes that begin at a position close, counted after the closing one; undefined if they don't. */
export function endOfQuotes(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (isEscapedQuote(text, at)) {
      at++;
    } else if (text[at] === '"') {
      return at + 1;
    }
  }
  return undefined;
}

/** Where options end: at white space outside of double quotes, or with the text. undefined if double quotes don't close. */
export function endOfOptions(text: string): number | undefined {
  let at = 0;
  while (at < text.length && text[at] !== " " && text[at] !== "\t") {
    if (isEscapedQuote(text, at)) {
      at += 2;
    } else if (text[at] === '"') {
      const end = endOfQuotes(text, at);
      if (end === undefined) {
        return undefined;
      }
      at = end;
    } else {
      at++;
    }
  }
  return at;
}

function isEscapedQuote(text: string, at: number): boolean {
  return text[at] === "\\" && text[at + 1] === '"';
}
