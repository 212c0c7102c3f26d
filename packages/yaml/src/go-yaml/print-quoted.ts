import { TextBuilder } from "../text-builder.ts";

/** Where a quoted text starts, and how to fold it. */
export interface Folding {
  readonly column: number;
  /** The indentation of the lines after the first. */
  readonly indent: number;
  /** After this column, the text is folded at its next space. */
  readonly width: number;
}

/** A quoted text, and the column after it. */
export interface Quoted {
  readonly text: string;
  readonly column: number;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\0", "\\0"],
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ["\x1b", "\\e"],
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\u0085", "\\N"],
  ["\u00a0", "\\_"],
  ["\u2028", "\\L"],
  ["\u2029", "\\P"],
]);

/**
 * Prints a text in single quotes. It contains no line breaks except Unicode's, which stay and start an indented line.
 */
export function printSingleQuoted(text: string, folding: Folding): Quoted {
  const line = new QuotedLine("'", folding);
  const unquoted = /[^ '\u2028\u2029]+/y;
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    const run = runAt(text, at, unquoted) || char;
    if (char === " ") {
      const isAlone = text[at - 1] !== " " && text[at + 1] !== " ";
      line.space(isAlone && at > 0 && at < text.length - 1);
    } else if (char === "\u2028" || char === "\u2029") {
      line.lineSeparator(char);
    } else {
      line.run(char === "'" ? "''" : run);
    }
    at += run.length;
  }
  return line.end("'");
}

/** Prints a text in double quotes, with escapes for unprintable characters. */
export function printDoubleQuoted(text: string, folding: Folding): Quoted {
  const line = new QuotedLine('"', folding);
  const unescaped = /[\x21\x23-\x5b\x5d-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]+/y;
  // As in yaml.v2, all characters are escaped if the first one is a byte order mark.
  const escapesAll = text.startsWith("\ufeff");
  for (let at = 0; at < text.length; ) {
    const run = escapesAll ? "" : runAt(text, at, unescaped);
    const char = run === "" ? String.fromCodePoint(text.codePointAt(at) ?? 0) : run;
    if (run !== "") {
      line.run(run);
    } else if (escapesAll || char !== " ") {
      line.run(escapeOf(char));
    } else if (line.space(text[at - 1] !== " " && at > 0 && at < text.length - 1) && text[at + 1] === " ") {
      line.run("\\");
    }
    at += char.length;
  }
  return line.end('"');
}

/** The characters of this kind from here on; "" if there are none. */
function runAt(text: string, at: number, characters: RegExp): string {
  characters.lastIndex = at;
  return characters.test(text) ? text.slice(at, characters.lastIndex) : "";
}

function escapeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) {
    return shortEscapes.get(char) ?? `\\x${digits.padStart(2, "0")}`;
  }
  return (
    shortEscapes.get(char) ??
    (code <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`)
  );
}

/** The text so far, and its column. */
class QuotedLine {
  readonly #text = new TextBuilder();
  #column: number;
  readonly #folding: Folding;
  #afterSeparator = false;

  constructor(quote: string, folding: Folding) {
    this.#text.add(quote);
    this.#column = folding.column + 1;
    this.#folding = folding;
  }

  run(characters: string): void {
    this.#indentAfterSeparator();
    this.#text.add(characters);
    this.#column += characters.length;
  }

  /** Writes a space, or ends the line instead, and then returns true. */
  space(mayBreak: boolean): boolean {
    const breaks = mayBreak && this.#column > this.#folding.width;
    if (breaks) {
      this.#text.add(`\n${" ".repeat(this.#folding.indent)}`);
      this.#column = this.#folding.indent;
    } else {
      this.#text.add(" ");
      this.#column += 1;
    }
    return breaks;
  }

  lineSeparator(separator: string): void {
    this.#text.add(separator);
    this.#column = 0;
    this.#afterSeparator = true;
  }

  end(quote: string): Quoted {
    this.#text.add(quote);
    return { text: this.#text.text, column: this.#column + 1 };
  }

  #indentAfterSeparator(): void {
    if (this.#afterSeparator) {
      this.#afterSeparator = false;
      this.#text.add(" ".repeat(this.#folding.indent));
      this.#column = this.#folding.indent;
    }
  }
}
