import { MalformedFileError, MetadataNotFoundError } from "../errors.ts";
import { Branch, type BranchItem, Comment, type EncryptedTree, isList, textOf } from "../tree.ts";
import { unflattenMetadata } from "./flat-metadata.ts";
import { IniLines } from "./ini-lines.ts";

/** The section with the metadata. */
const metadataSection = "sops";

/** The section for keys before the first header. */
export const defaultSection = "DEFAULT";

/** Reads an encrypted ini file: each section is a branch. */
export function readIni(bytes: Uint8Array): EncryptedTree {
  const branch = new IniFile(new TextDecoder().decode(bytes)).read();
  const metadata = branch.items.find(({ key }) => key === metadataSection)?.value;
  if (!(metadata instanceof Branch)) {
    throw new MetadataNotFoundError();
  }
  const entries = metadata.items.flatMap(({ key, value }) =>
    typeof key === "string" && !isList(value) ? [[key, textOf(value)] as const] : [],
  );
  return { branches: [branch.without(metadataSection)], metadata: unflattenMetadata(entries) };
}

interface Section {
  readonly name: string;
  readonly comment: string;
  /** Values and the comments before them, by key. */
  readonly keys: Map<string, { readonly value: string; readonly comment: string }>;
}

/** Parses an ini file like Go's ini.v1 with its defaults: comments also after values, and continued lines. */
class IniFile {
  readonly #lines: IniLines;
  readonly #sections: Section[] = [{ name: defaultSection, comment: "", keys: new Map() }];

  constructor(text: string) {
    this.#lines = new IniLines(text);
  }

  read(): Branch {
    for (let line = this.#lines.next(); line !== undefined; line = this.#lines.next()) {
      this.#readLine(line.trimStart());
    }
    return new Branch(
      this.#sections.map((section) => ({ key: section.name, value: new Branch(itemsOf(section)) })),
    );
  }

  #readLine(line: string): void {
    if (line === "") {
      return;
    }
    if (line.startsWith("#") || line.startsWith(";")) {
      this.#lines.comment += `${line}\n`;
    } else if (line.startsWith("[")) {
      this.#readHeader(line);
    } else {
      this.#readKey(line);
    }
  }

  #readHeader(line: string): void {
    const end = line.lastIndexOf("]");
    if (end <= 1) {
      throw new MalformedFileError("an ini section has no name, or its header isn't closed");
    }
    const comment = line.slice(end + 1).search(/[#;]/);
    if (comment >= 0) {
      this.#lines.comment += line.slice(end + 1 + comment);
    }
    this.#sections.push({ name: line.slice(1, end), comment: this.#lines.takeComment(), keys: new Map() });
  }

  #readKey(line: string): void {
    const { name, rest } = splitKey(line);
    const value = this.#lines.readValue(rest);
    const keys = this.#sections.at(-1)?.keys;
    keys?.set(name, { value, comment: this.#lines.takeComment() });
  }
}

/** Splits a line at the first `=` or `:` after a name, which may be in quotes. */
function splitKey(line: string): { readonly name: string; readonly rest: string } {
  const [, quote = ""] = /^("""|"|`)/.exec(line) ?? [];
  const end = quote === "" ? 0 : line.indexOf(quote, quote.length);
  const at = end < 0 ? -1 : line.slice(end + quote.length).search(/[=:]/) + end + quote.length;
  if (end < 0 || at < end + quote.length || (quote === "" && at === 0)) {
    throw new MalformedFileError("an ini line has no key, or no = after it");
  }
  const name = quote === "" ? line.slice(0, at) : line.slice(quote.length, end);
  return { name: name.trim(), rest: line.slice(at + 1) };
}

/** The comment of a section comes first in it, but the comment of a key comes after the key. */
function itemsOf({ comment, keys }: Section): readonly BranchItem[] {
  return [
    ...commentItems(comment),
    ...[...keys].flatMap(([key, { value, comment: note }]) => [{ key, value }, ...commentItems(note)]),
  ];
}

function commentItems(comment: string): readonly BranchItem[] {
  const text = comment.startsWith(";") ? comment.replace(/^[; ]+/, "") : comment.replace(/^(?:#[# ]*)/, "");
  return comment === "" ? [] : [{ key: new Comment(text), value: null }];
}
