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
  readonly #pieces: string[] = [];
  #length = 0;
  #column = 0;
  #indent = -1;
  /** White space or the beginning of a line was written last. */
  #whitespace = true;
  /** Nothing but indentation and indicators has been written on this line. */
  #indention = true;

  /** The document so far. */
  get text(): string {
    return this.#pieces.join("");
  }

  /** How many characters the document has so far. */
  get length(): number {
    return this.#length;
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
    const lines = text.replaceAll(/(^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g, `$1${lineStart}`);
    this.#separate();
    this.#push(`|${literalHints(text)}\n${lines}`);
    const endsLine = /[\n\u2028\u2029]$/.test(text);
    this.#column = endsLine ? 0 : 1;
    this.#indention = endsLine;
    this.#whitespace = true;
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  #separate(): void {
    if (!this.#whitespace) {
      this.#write(" ");
    }
  }

  #write(text: string): void {
    this.#push(text);
    this.#column += text.length;
    this.#whitespace = false;
  }

  #take({ text, column }: Quoted): void {
    this.#push(text);
    this.#column = column;
    this.#whitespace = false;
    this.#indention = false;
  }

  #writeBroken(text: string): void {
    const words = text.split(" ");
    const lineStart = `\n${" ".repeat(this.#scalarIndent())}`;
    words.forEach((word, index) => {
      const isAlone = words[index - 1] !== "" && word !== "";
      if (index > 0 && isAlone && this.#column > lineWidth) {
        this.#push(lineStart);
        this.#column = lineStart.length - 1;
        this.#write(word);
      } else {
        this.#write(index === 0 ? word : ` ${word}`);
      }
    });
  }

  #startLineAt(indent: number): void {
    const isTaken = this.#column > indent || (this.#column === indent && !this.#whitespace);
    if (!this.#indention || isTaken) {
      this.#push("\n");
      this.#column = 0;
    }
    if (this.#column < indent) {
      this.#push(" ".repeat(indent - this.#column));
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

/** What has to be said of a literal text: that it begins with white space, and how it ends. */
function literalHints(text: string): string {
  const indentation = /^[ \n\u2028\u2029]/.test(text) ? step.toString() : "";
  const [, last = "", before = ""] = /((?<before>[\n\u2028\u2029])?[\n\u2028\u2029])$/.exec(text) ?? [];
  if (last === "") {
    return `${indentation}-`;
  }
  return before !== "" || text.length === 1 ? `${indentation}+` : indentation;
}
