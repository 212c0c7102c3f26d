import { SopsError } from "../errors.ts";
import { Branch, Comment, type TreeValue } from "../tree.ts";
import { defaultSection } from "./ini-reader.ts";
import { plainText } from "./plain-text.ts";

/** A key or the section itself, and the comment before it. */
interface Entry {
  readonly key: string;
  readonly value: string;
  comment: string;
}

/** Prints an ini file like Go's ini.v1: the values of a section are aligned, and sections have an empty line between. */
export function writeIni([branch = new Branch([])]: readonly Branch[]): string {
  const sections = branch.items.flatMap(({ key, value }) =>
    typeof key === "string" ? [{ name: key, content: sectionOf(value) }] : [],
  );
  return sections
    .map(({ name, content }, index) => {
      const isLast = index === sections.length - 1;
      const end = isLast || isSilent(name, content, index) ? "" : "\n";
      return printSection(name, content, index === 0) + end;
    })
    .join("");
}

function sectionOf(value: TreeValue): Branch {
  if (!(value instanceof Branch)) {
    throw new SopsError("Error encoding section: Section values should always be TreeBranches");
  }
  return value;
}

function isSilent(name: string, { items }: Branch, index: number): boolean {
  return index === 0 && name.toUpperCase() === defaultSection && items.length === 0;
}

function printSection(name: string, { items }: Branch, isFirst: boolean): string {
  const [first, ...others] = items;
  const comment = first?.key instanceof Comment ? printComment(first.key.text, false) : "";
  const header = isFirst && name.toUpperCase() === defaultSection ? "" : `[${name}]\n`;
  const entries = entriesOf(new Branch(first?.key instanceof Comment ? others : items));
  const width = Math.max(0, ...entries.map(({ key }) => Buffer.byteLength(quoted(key))));
  const lines = entries.map(
    (entry) =>
      `${entry.comment === "" ? "" : printComment(entry.comment, true)}${padded(quoted(entry.key), width)} = ${printValue(entry.value)}\n`,
  );
  return comment + header + lines.join("");
}

/** Keys that occur twice have the last value, at the place of the first. A comment belongs to the key before it. */
function entriesOf({ items }: Branch): readonly Entry[] {
  const entries = new Map<string, Entry>();
  let last: Entry | undefined;
  for (const { key, value } of items) {
    if (typeof key === "string") {
      last = { key, value: plainText(value) ?? "", comment: entries.get(key)?.comment ?? "" };
      entries.set(key, last);
    } else if (last !== undefined) {
      last.comment = key.text;
    }
  }
  return [...entries.values()];
}

function printComment(text: string, isTrimmed: boolean): string {
  return text
    .split("\n")
    .map((line) => {
      const isMarked = line.startsWith("#") || line.startsWith(";");
      const rest = isTrimmed ? line.trim() : line;
      return isMarked ? `${line.slice(0, 1)} ${line.slice(1).trim()}\n` : `; ${rest}\n`;
    })
    .join("");
}

/** Go counts bytes. */
function padded(key: string, width: number): string {
  return key + " ".repeat(width - Buffer.byteLength(key));
}

function quoted(key: string): string {
  if (/["=:]/.test(key)) {
    return `\`${key}\``;
  }
  return key.includes("`") ? `"""${key}"""` : key;
}

function printValue(value: string): string {
  if (/[\n`]/.test(value)) {
    return `"""${value}"""`;
  }
  if (/[#;]/.test(value)) {
    return `\`${value}\``;
  }
  return value.trim().length === value.length ? value : `"${value}"`;
}
