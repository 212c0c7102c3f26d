import { code } from "../characters.ts";
import { TextBuilder } from "../text-builder.ts";
import { type Folding, printDoubleQuoted, printSingleQuoted, type Quoted } from "./print-quoted.ts";

/** Spaces by which the parts of a collection are indented. */
const step = 2;

/** Beyond this column a text is broken at its next space. */
const lineWidth = 80;

/**
 * Writes the parts of a document one after the other and knows where on its line the next one comes: libyaml's
 * layout for documents of blocks, in which only what is empty has brackets.
 */
export class Emitter {
  readonly #text = new TextBuilder();
  #column = 0;
  #indent = -1;
  /** White space or the beginning of a line was written last. */
  #whitespace = true;
  /** Nothing but indentation and indicators has been written on this line. */
  #indention = true;

  /** The document so far. */
  get text(): string {
    return this.#text.text;
  }

  /** How many characters the document has so far. */
  get length(): number {
    return this.#text.length;
  }

  get indent(): number {
    return this.#indent;
  }

  set indent(indent: number) {
    this.#indent = indent;
  }

  /** Whether a collection that begins here does so on the line of the indicator before it. */
  get isAfterIndicator(): boolean {
    return this.#indention;
  }

  /** The indentation of what stands in a collection that begins here. */
  get innerIndent(): number {
    return this.#indent < 0 ? 0 : this.#indent + step;
  }

  /** Goes to the indentation, on a new line where something stands on this one. */
  startLine(): void {
    this.#startLineAt(Math.max(this.#indent, 0));
  }

  /** `-`, `?`, or `:` behind a key that takes lines of its own: the next part follows on the same line. */
  openIndicator(indicator: string): void {
    this.#separate();
    this.#write(indicator);
  }

  /** The `:` behind a key. */
  colon(): void {
    this.#write(":");
    this.#indention = false;
  }

  /** A text that needs no further look: a number, a word, an empty collection. */
  word(text: string): void {
    this.#separate();
    this.#write(text);
    this.#indention = false;
  }

  /** A string without quotes; broken into lines where `mayBreak`. */
  plain(text: string, mayBreak: boolean): void {
    this.#separate();
    if (!mayBreak || this.#column + text.length <= lineWidth || !text.includes(" ")) {
      this.#write(text);
    } else {
      this.#writeBroken(text);
    }
    this.#indention = false;
  }

  single(text: string, mayBreak: boolean): void {
    this.#separate();
    this.#take(printSingleQuoted(text, this.#folding(mayBreak)));
  }

  double(text: string, mayBreak: boolean): void {
    this.#separate();
    this.#take(printDoubleQuoted(text, this.#folding(mayBreak)));
  }

  /** A string as lines of its own. */
  literal(text: string): void {
    const lineStart = " ".repeat(this.#scalarIndent());
    this.#separate();
    this.#text.add(`|${literalHints(text)}\n`);
    for (let from = 0; from < text.length; ) {
      const end = lineEnd(text, from);
      this.#text.add(end - from > 1 || !isLineBreak(text.charCodeAt(from)) ? lineStart : "");
      this.#text.add(text.slice(from, end));
      from = end;
    }
    const endsLine = /[\n\u2028\u2029]$/.test(text);
    this.#column = endsLine ? 0 : 1;
    this.#indention = endsLine;
    this.#whitespace = true;
  }

  #separate(): void {
    if (!this.#whitespace) {
      this.#write(" ");
    }
  }

  #write(text: string): void {
    this.#text.add(text);
    this.#column += text.length;
    this.#whitespace = false;
  }

  #take({ text, column }: Quoted): void {
    this.#text.add(text);
    this.#column = column;
    this.#whitespace = false;
    this.#indention = false;
  }

  #writeBroken(text: string): void {
    const lineStart = `\n${" ".repeat(this.#scalarIndent())}`;
    let from = 0;
    for (;;) {
      const end = loneSpace(text, from + lineWidth + 1 - this.#column) ?? text.length;
      this.#write(text.slice(from, end));
      if (end === text.length) {
        return;
      }
      this.#text.add(lineStart);
      this.#column = lineStart.length - 1;
      from = end + 1;
    }
  }

  #startLineAt(indent: number): void {
    const isTaken = this.#column > indent || (this.#column === indent && !this.#whitespace);
    if (!this.#indention || isTaken) {
      this.#text.add("\n");
      this.#column = 0;
    }
    if (this.#column < indent) {
      this.#text.add(" ".repeat(indent - this.#column));
      this.#column = indent;
    }
    this.#whitespace = true;
    this.#indention = true;
  }

  #scalarIndent(): number {
    return this.#indent < 0 ? step : this.#indent + step;
  }

  #folding(mayBreak: boolean): Folding {
    return { column: this.#column, indent: this.#scalarIndent(), width: mayBreak ? lineWidth : Infinity };
  }
}

/** The first space from there on that has no other beside it, and does not begin or end the text. */
function loneSpace(text: string, from: number): number | undefined {
  for (let at = text.indexOf(" ", from); at >= 0; at = text.indexOf(" ", at + 1)) {
    if (at > 0 && at < text.length - 1 && text[at - 1] !== " " && text[at + 1] !== " ") {
      return at;
    }
  }
  return undefined;
}

/** Where the line that begins there ends, its break included. */
function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLineBreak(text.charCodeAt(at))) {
    at += 1;
  }
  return Math.min(at + 1, text.length);
}

function isLineBreak(char: number): boolean {
  return char === code.lineFeed || char === code.lineSeparator || char === code.paragraphSeparator;
}

/** What has to be said of a literal text: that it begins with white space, and how it ends. */
function literalHints(text: string): string {
  const indentation = /^[ \n\u2028\u2029]/.test(text) ? step.toString() : "";
  const [, last = "", before = ""] = /((?<before>[\n\u2028\u2029])?[\n\u2028\u2029])$/.exec(text) ?? [];
  if (last === "") {
    return `${indentation}-`;
  }
  return before !== "" || text.length === 1 ? `${indentation}+` : indentation;
}
