import { MalformedFileError } from "../errors.ts";

/** The lines of an ini file, and the comment that waits for its key or section. */
export class IniLines {
  readonly #lines: readonly string[];
  #next = 0;
  comment = "";

  constructor(text: string) {
    this.#lines = text.replace(/^\ufeff/, "").split("\n");
  }

  /** The next line, without its line break; undefined if there's none. */
  next(): string | undefined {
    const line = this.#lines[this.#next];
    this.#next += 1;
    return line;
  }

  /** Returns the comment and prepares for the next one. */
  takeComment(): string {
    const comment = this.comment.trim();
    this.comment = "";
    return comment;
  }

  /** The value after a `=`, which may continue on the next lines. */
  readValue(rest: string): string {
    const line = rest.trimStart();
    const [, quote] = /^("""(?=.)|`)/.exec(line) ?? [];
    if (quote !== undefined) {
      return this.#readQuoted(line.slice(quote.length), quote);
    }
    const text = line.trim();
    return text.endsWith("\\") ? this.#readContinued(text.slice(0, -1)) : this.#withoutComment(text);
  }

  #readQuoted(first: string, quote: string): string {
    const end = first.lastIndexOf(quote);
    if (end >= 0) {
      return first.slice(0, end);
    }
    let value = `${first}\n`;
    for (let line = this.next(); line !== undefined; line = this.next()) {
      const at = line.lastIndexOf(quote);
      if (at >= 0) {
        const comment = line.slice(at).search(/[#;]/);
        this.comment += comment < 0 ? "" : line.slice(at + comment).trim();
        return value + line.slice(0, at);
      }
      value += `${line}\n`;
    }
    throw new MalformedFileError("an ini value has no closing quotes");
  }

  #readContinued(first: string): string {
    let value = first;
    for (let line = this.next()?.trim() ?? ""; line !== ""; line = this.next()?.trim() ?? "") {
      value += line;
      if (!value.endsWith("\\")) {
        break;
      }
      value = value.slice(0, -1);
    }
    return value;
  }

  #withoutComment(text: string): string {
    const at = text.search(/[#;]/);
    if (at >= 0) {
      this.comment += text.slice(at);
    }
    const value = at >= 0 ? text.slice(0, at).trim() : text;
    const [, inner] = /^"([^"]*)"$/.exec(value) ?? /^'([^']*)'$/.exec(value) ?? [];
    return inner ?? value;
  }
}
