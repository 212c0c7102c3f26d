import { printDoubleQuoted, printSingleQuoted } from "@weir/yaml/go-yaml";

/** The indentation of the parts of a collection, in spaces. */
const step = 4;

/** The indentation of what's after the `- ` of a list. */
const inListStep = 2;

/** The initial indentation, outside any collection. */
const outside = -1;

/**
 * Writes the parts of documents one after another. Uses the layout of yaml.v3, including where it puts comments: they
 * wait in `head`, `tail`, and `foot` until a place where it writes comments of this kind.
 */
export class YamlLayout {
  readonly #parts: string[] = [];
  #length = 0;
  #column = 0;
  /** True if the last character is white space, or the line is empty. */
  #whitespace = true;
  /** True if this line contains only indentation and indicators so far. */
  #indention = true;
  /** After a comment at the end of something, the next line with this indentation is separated by an empty one. */
  #footIndent = outside;
  #head = "";
  #tail = "";
  #foot = "";
  indent = outside;

  /** Everything written so far, as a complete file. */
  get text(): string {
    return this.#parts.join("");
  }

  /** The number of characters so far. */
  get length(): number {
    return this.#length;
  }

  // Comments.

  /** A comment for the next place before an entry. It replaces one that is still waiting. */
  addHead(comment: string): void {
    this.#head = comment === "" ? this.#head : comment;
  }

  /** A comment for the end of a mapping. */
  addTail(comment: string): void {
    this.#tail = comment === "" ? this.#tail : comment;
  }

  /** A comment for the next place after an entry. */
  addFoot(comment: string): void {
    this.#foot = comment === "" ? this.#foot : comment;
  }

  /** A place before an entry. */
  writeHead(): void {
    if (this.#tail !== "") {
      this.#comment(this.#tail);
      this.#tail = "";
      this.#footIndent = Math.max(this.indent, 0);
    }
    if (this.#head !== "") {
      this.#comment(this.#head);
      this.#head = "";
    }
  }

  /** A place after an entry. */
  writeFoot(): void {
    if (this.#foot !== "") {
      this.#comment(this.#foot);
      this.#foot = "";
      this.#footIndent = Math.max(this.indent, 0);
    }
  }

  // Structure.

  /** The indentation of the content of a collection that starts here. */
  innerIndent(inList: boolean): number {
    return this.indent < 0 ? 0 : this.#deeper(inList);
  }

  /** Moves to the indentation, on a new line if this one isn't empty. */
  startLine(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.#indention || this.#column > indent || (this.#column === indent && !this.#whitespace)) {
      this.#break();
    }
    if (this.#footIndent === indent) {
      this.#break();
    }
    if (this.#column < indent) {
      this.#put(" ".repeat(indent - this.#column));
    }
    this.#whitespace = true;
    this.#footIndent = outside;
  }

  /** Writes `-`, `?`, or the `:` after a key on its own line; the next part follows on the same line. */
  openIndicator(indicator: string): void {
    this.#separate();
    this.#indicator(indicator, this.#indention);
  }

  /** Writes the `:` after a key. */
  colon(): void {
    this.#indicator(":", false);
  }

  /** Writes an indicator that ends its line, or is an empty collection. */
  indicator(indicator: string): void {
    this.#separate();
    this.#indicator(indicator, false);
  }

  /** Writes `{}`. A comment that is waiting comes between the brackets. */
  emptyMapping(): void {
    this.indicator("{");
    this.#whitespace = true;
    const around = this.indent;
    this.indent = this.indent < 0 ? step : this.#deeper(false);
    this.writeHead();
    this.indent = around;
    this.#indicator("}", false);
    this.writeFoot();
  }

  endDocument(): void {
    this.#footIndent = 0;
    this.writeFoot();
    this.#footIndent = outside;
    this.startLine();
  }

  // Scalars.

  plain(text: string): void {
    this.#separate();
    this.#scalar(text);
  }

  single(text: string): void {
    this.#separate();
    this.#scalar(printSingleQuoted(text, this.#unfolded()).text);
  }

  double(text: string): void {
    this.#separate();
    this.#scalar(printDoubleQuoted(text, this.#unfolded()).text);
  }

  /** Writes a text as a literal block. */
  literal(text: string, inList: boolean): void {
    const around = this.indent;
    this.indent = this.indent < 0 ? step : this.#deeper(inList);
    this.#separate();
    this.#put(`|${literalHints(text)}`);
    this.#indention = false;
    this.#whitespace = true;
    this.#break();
    for (const [line] of text.matchAll(/[^\n\u2028\u2029]*[\n\u2028\u2029]|[^\n\u2028\u2029]+$/g)) {
      this.#literalLine(line);
    }
    this.indent = around;
  }

  #literalLine(line: string): void {
    const content = line.replace(/[\n\u2028\u2029]$/, "");
    if (content !== "") {
      this.startLine();
      this.#put(content);
      this.#indention = false;
    }
    if (content.length < line.length) {
      this.#put(line.slice(content.length));
      this.#column = 0;
      this.#indention = true;
    }
  }

  // Characters.

  #deeper(inList: boolean): number {
    return inList ? this.indent + inListStep : step * Math.floor((this.indent + step) / step);
  }

  #unfolded(): { readonly column: number; readonly indent: number; readonly width: number } {
    return { column: this.#column, indent: this.indent < 0 ? step : this.#deeper(false), width: Infinity };
  }

  #comment(text: string): void {
    this.startLine();
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) {
        this.startLine();
      }
      this.#put(line);
      this.#break();
    }
    this.#whitespace = true;
  }

  #scalar(text: string): void {
    this.#put(text);
    this.#whitespace = false;
    this.#indention = false;
  }

  #indicator(indicator: string, indention: boolean): void {
    this.#put(indicator);
    this.#whitespace = false;
    this.#indention = indention;
  }

  #separate(): void {
    if (!this.#whitespace) {
      this.#put(" ");
    }
  }

  #break(): void {
    this.#put("\n");
    this.#column = 0;
    this.#indention = true;
  }

  #put(text: string): void {
    this.#parts.push(text);
    this.#column += text.length;
    this.#length += text.length;
  }
}

/** The indicators in the header of a literal block: whether it starts with white space, and how it ends. */
function literalHints(text: string): string {
  const indentation = /^[ \n\u2028\u2029]/.test(text) ? step.toString() : "";
  if (!/[\n\u2028\u2029]$/.test(text)) {
    return `${indentation}-`;
  }
  return text.length === 1 || /[\n\u2028\u2029]{2}$/.test(text) ? `${indentation}+` : indentation;
}
