import { code } from "../characters.ts";
import { TextBuilder } from "../text-builder.ts";
import { type Folding, printDoubleQuoted, printSingleQuoted, type Quoted } from "./print-quoted.ts";

/** The indentation of the parts of a collection, in spaces. */
const step = 2;

/** After this column, a text is folded at its next space. */
const lineWidth = 80;

/** Line breaks with the usual indentations. */
const lineStarts: readonly string[] = Array.from({ length: 40 }, (_, indent) => `\n${" ".repeat(indent)}`);

/**
 * Writes the parts of a document one after another and keeps track of the column. Uses libyaml's layout for block
 * documents, where only empty collections have brackets.
 */
export class Emitter {
  readonly #text = new TextBuilder();
  #column = 0;
  #indent = -1;
  /** True if the last character is white space, or the line is empty. */
  #whitespace = true;
  /** True if this line contains only indentation and indicators so far. */
  #indention = true;

  /** The document so far. */
  get text(): string {
    return this.#text.text;
  }

  /** The number of characters so far. */
  get length(): number {
    return this.#text.length;
  }

  get indent(): number {
    return this.#indent;
  }

  set indent(indent: number) {
    this.#indent = indent;
  }

  /** True if a collection that starts here is on the line of the indicator before it. */
  get isAfterIndicator(): boolean {
    return this.#indention;
  }

  /** The indentation of the content of a collection that starts here. */
  get innerIndent(): number {
    return this.#indent < 0 ? 0 : this.#indent + step;
  }

  /** Moves to the indentation, on a new line if this one isn't empty. */
  startLine(): void {
    this.#startLineAt(Math.max(this.#indent, 0));
  }

  /** Writes `-`, `?`, or the `:` after a key on its own lines; the next part follows on the same line. */
  openIndicator(indicator: string): void {
    this.#separate();
    this.#write(indicator);
  }

  /** Writes the `:` after a key. */
  colon(): void {
    this.#write(":");
    this.#indention = false;
  }

  /** Writes a text that needs no further checks: a number, a word, or an empty collection. */
  word(text: string): void {
    this.#separate();
    this.#write(text);
    this.#indention = false;
  }

  /** Writes a string without quotes; folds lines if `mayBreak` is set. */
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

  /** Writes a string as a literal block. */
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
      this.#text.add(lineStarts[indent] ?? `\n${" ".repeat(indent)}`);
      this.#column = indent;
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

/** The next space that has no other space beside it, and isn't at the start or end of the text. */
function loneSpace(text: string, from: number): number | undefined {
  for (let at = text.indexOf(" ", from); at >= 0; at = text.indexOf(" ", at + 1)) {
    if (at > 0 && at < text.length - 1 && text[at - 1] !== " " && text[at + 1] !== " ") {
      return at;
    }
  }
  return undefined;
}

/** The end of the line that starts there, including its line break. */
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

/** The indicators in the header of a literal block: whether it starts with white space, and how it ends. */
function literalHints(text: string): string {
  const indentation = /^[ \n\u2028\u2029]/.test(text) ? step.toString() : "";
  const [, last = "", before = ""] = /((?<before>[\n\u2028\u2029])?[\n\u2028\u2029])$/.exec(text) ?? [];
  if (last === "") {
    return `${indentation}-`;
  }
  return before !== "" || text.length === 1 ? `${indentation}+` : indentation;
}
